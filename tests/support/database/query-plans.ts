import type Sqlite from 'better-sqlite3'
import { type CompiledQuery, Kysely, SqliteDialect } from 'kysely'
import type { Database, Tables } from '../../../server/platform/database/tables.ts'
import { memoryDatabase } from './memory-database.ts'

/** One step of SQLite's plan of the statement `sql`. `parent`: 0, or the id of another step. */
export type PlanStep = { sql: string; parent: number; detail: string }

type DatabaseWithPlans = {
  db: Database
  sqlite: Sqlite.Database
  /** The queries that `db` has run. */
  queries: CompiledQuery[]
  /** Returns the steps of the plans of `queries`. */
  planSteps: () => PlanStep[]
}

/** Returns a database like `memoryDatabase`, which records its queries. */
export async function databaseWithPlans(): Promise<DatabaseWithPlans> {
  const { sqlite } = await memoryDatabase()
  const queries: CompiledQuery[] = []
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: sqlite }),
    log: ({ query }) => {
      queries.push(query)
    },
  })
  const explain = ({ sql, parameters }: CompiledQuery): PlanStep[] =>
    (sqlite.prepare(`explain query plan ${sql}`).all(...parameters) as PlanStep[]).map((step) => ({ ...step, sql }))
  const hasPlan = ({ sql }: CompiledQuery) => /^(with|select|insert|update|delete)/.test(sql)
  return { db, sqlite, queries, planSteps: () => queries.filter(hasPlan).flatMap(explain) }
}
