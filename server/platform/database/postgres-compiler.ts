import { type BinaryOperationNode, OperatorNode, PostgresQueryCompiler, PrimitiveValueListNode } from 'kysely'

export class PostgresCompiler extends PostgresQueryCompiler {
  /** PostgreSQL rejects an empty list, while SQLite treats it as containing nothing. */
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { operator, rightOperand } = node
    const isEmptyList = PrimitiveValueListNode.is(rightOperand) && rightOperand.values.length === 0
    if (!isEmptyList) super.visitBinaryOperation(node)
    else this.append(OperatorNode.is(operator) && operator.operator === 'not in' ? 'true' : 'false')
  }
}
