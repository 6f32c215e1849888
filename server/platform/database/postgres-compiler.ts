import { type BinaryOperationNode, OperatorNode, PostgresQueryCompiler, PrimitiveValueListNode } from 'kysely'

/** SQL of one builder in the words of PostgreSQL, where those of Kysely are not enough. */
export class ServiceCompiler extends PostgresQueryCompiler {
  /** Nothing is in an empty list: SQLite says so, PostgreSQL does not take one. */
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { operator, rightOperand } = node
    const isEmptyList = PrimitiveValueListNode.is(rightOperand) && rightOperand.values.length === 0
    if (!isEmptyList) super.visitBinaryOperation(node)
    else this.append(OperatorNode.is(operator) && operator.operator === 'not in' ? 'true' : 'false')
  }
}
