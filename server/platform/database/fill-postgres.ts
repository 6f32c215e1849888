import { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { type CopiedTable, CopyMismatch, type CopyOptions, copyTables, emptyTables } from './copy-tables.ts'
import { openDatabase } from './open-database.ts'
import { openPool } from './open-postgres.ts'
import { PostgresDriver, postgresDialect } from './postgres-dialect.ts'
import type { Database, Tables } from './tables.ts'
import { ensureCopyMark, recordSource, removeCopyMark } from './unfinished-copy.ts'

type FillOptions = CopyOptions & {
  url: string
  migrations: Record<string, Migration>
  source: Database
  /** Identifies the state of the source. A copy of another state is discarded and started again. */
  sourceVersion: string
  /** Changes the complete copy before the service may open it. */
  finish: (target: Database) => Promise<void>
}

/**
 * Copies a database into an empty PostgreSQL database. The source must not change while this runs. The service does not
 * open the target until the copy is complete, and a second call continues an interrupted copy. Throws DatabaseNotEmpty,
 * CopyMismatch, SchemaVersionMismatch, ConfigProblems and DatabaseUnavailable.
 */
export async function fillPostgres(fillOptions: FillOptions): Promise<CopiedTable[]> {
  const { url, migrations, source, sourceVersion, finish, ...options } = fillOptions
  const recordedVersion = await ensureCopyMarkAt(url)
  const { db, close } = await openDatabase({ url }, migrations)
  try {
    if (recordedVersion !== sourceVersion) {
      await recordSource(db, '')
      await emptyTables(db)
      await recordSource(db, sourceVersion)
    }
    const copied = await copyTables(source, db, options)
    await finish(db)
    await removeCopyMark(db)
    return copied
  } catch (error) {
    if (error instanceof CopyMismatch) await recordSource(db, '')
    throw error
  } finally {
    await close()
  }
}

/**
 * Marks an empty database as an unfinished copy, and returns the recorded source version. Runs before the migrations,
 * so that a database of another program is not changed. Throws DatabaseNotEmpty.
 */
export async function ensureCopyMarkAt(url: string): Promise<string> {
  const pool = openPool(url, { max: 1 })
  const driver = new PostgresDriver({ transactions: pool, reads: pool })
  const db = new Kysely<Tables>({ dialect: postgresDialect(driver) })
  return ensureCopyMark(db).finally(() => pool.end())
}
