import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { migrations } from '../../../server/migrations/migrations.ts'
import type { Database, Tables } from '../../../server/platform/database/tables.ts'

/**
 * Creates all tables in a SQLite database in memory. Foreign keys are not checked, so a row does not need the rows to
 * which it refers.
 */
export async function memoryDatabase(): Promise<{ db: Database; sqlite: Sqlite.Database }> {
  const sqlite = new Sqlite(':memory:')
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
  for (const { up } of Object.values(migrations)) await up(db)
  sqlite.pragma('foreign_keys = off')
  return { db, sqlite }
}
