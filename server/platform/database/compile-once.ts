import type { Compilable, CompiledQuery, DatabaseConnection } from 'kysely'
import type { Database, Tx } from './tables.ts'
import { isPostgres } from './transaction.ts'

/** Stands for a value that each call gives. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

const compiled = new Map<string, CompiledQuery>()

/**
 * Returns a frequent query that is compiled with its first call only, because compiling takes as long as running it.
 * `key` names everything that changes the text of the query. `build` gets placeholders instead of the values, so the text
 * must not depend on them.
 */
export function compileOnce<Values extends object, Row>(
  db: Database,
  key: string,
  values: Values,
  build: (values: Values) => Compilable<Row>,
): CompiledQuery<Row> {
  const name = isPostgres(db) ? `${key} on PostgreSQL` : key
  let query = compiled.get(name)
  if (!query) {
    const placeholders = Object.fromEntries(Object.keys(values).map((one) => [one, new Placeholder(one)])) as Values
    query = build(placeholders).compile()
    compiled.set(name, query)
  }
  const parameters = query.parameters.map((one) =>
    one instanceof Placeholder ? values[one.name as keyof Values] : one,
  )
  return { ...(query as CompiledQuery<Row>), parameters }
}

/** Runs the query of `compileOnce` and returns its rows. */
export async function runCompiled<Values extends object, Row>(
  db: Database,
  key: string,
  values: Values,
  build: (values: Values) => Compilable<Row>,
): Promise<Row[]> {
  return (await db.executeQuery(compileOnce(db, key, values, build))).rows
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
