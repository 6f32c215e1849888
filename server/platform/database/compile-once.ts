import type { Compilable, CompiledQuery } from 'kysely'
import type { Database } from './tables.ts'
import { isPostgres } from './transaction.ts'

/** Stands for a value that each call gives. */
export const placeholder = Number.MIN_SAFE_INTEGER

const compiled = new Map<string, CompiledQuery>()

/**
 * Runs a frequent query that is compiled with its first call only, because compiling takes as long as running it.
 * `key` names everything that changes the text of the query. `values` replace the placeholders in their order.
 */
export async function runCompiled<Row>(
  db: Database,
  key: string,
  build: () => Compilable<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  const name = `${key} ${isPostgres(db)}`
  const query = compiled.get(name) ?? build().compile()
  compiled.set(name, query)
  const left = [...values]
  const parameters = query.parameters.map((one) => (one === placeholder ? left.shift() : one))
  return (await db.executeQuery<Row>({ ...(query as CompiledQuery<Row>), parameters })).rows
}
