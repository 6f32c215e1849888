import type { Compilable, CompiledQuery, DatabaseConnection } from 'kysely'
import type { Database, Tx } from './tables.ts'
import { isPostgres } from './transaction.ts'

/** Stands for a value that each call gives. */
export const placeholder = Number.MIN_SAFE_INTEGER
/** The placeholder of a column of any type. */
export const anyPlaceholder = placeholder as never

/** Returns the same columns with placeholders as values. */
export const placeholdersFor = <Columns extends object>(columns: Columns): Columns =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, placeholder])) as Columns

const compiled = new Map<string, CompiledQuery>()

/**
 * Returns a frequent query that is compiled with its first call only, because compiling takes as long as running it.
 * `key` names everything that changes the text of the query. `values` replace the placeholders in the order of the text.
 */
export function compileOnce<Row>(
  db: Database,
  key: string,
  build: () => Compilable<Row>,
  values: readonly unknown[],
): CompiledQuery<Row> {
  const name = isPostgres(db) ? `${key} on PostgreSQL` : key
  let query = compiled.get(name)
  if (!query) {
    query = build().compile()
    compiled.set(name, query)
  }
  let next = 0
  const parameters = query.parameters.map((one) => (one === placeholder ? values[next++] : one))
  if (next !== values.length) throw new Error(`${key} has ${next} placeholders and got ${values.length} values`)
  return { ...(query as CompiledQuery<Row>), parameters }
}

/** Runs the query of `compileOnce` and returns its rows. */
export async function runCompiled<Row>(
  db: Database,
  key: string,
  build: () => Compilable<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  return (await db.executeQuery(compileOnce(db, key, build, values))).rows
}

type RowsOf<Queries> = { [Index in keyof Queries]: Queries[Index] extends CompiledQuery<infer Row> ? Row[] : never }

/**
 * Runs queries of a transaction one after another and returns the rows of each. On SQLite they take one message to the
 * writer thread, because a message costs the main thread more than a query. Rejects with the first error, after which
 * no other query runs.
 */
export async function runTogether<const Queries extends readonly CompiledQuery[]>(
  tx: Tx,
  queries: Queries,
): Promise<RowsOf<Queries>> {
  const rows = await tx.getExecutor().provideConnection(async (connection) => {
    if (canRunTogether(connection)) return connection.executeTogether(queries)
    const all: unknown[][] = []
    for (const query of queries) all.push((await connection.executeQuery(query)).rows)
    return all
  })
  return rows as RowsOf<Queries>
}

type TogetherConnection = { executeTogether: (queries: readonly CompiledQuery[]) => Promise<unknown[][]> }

const canRunTogether = (connection: DatabaseConnection): connection is DatabaseConnection & TogetherConnection =>
  'executeTogether' in connection
