import { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { type CopiedTable, CopyDiffers, type CopyOptions, copyTables, emptyTables } from './copy-tables.ts'
import { openDatabase } from './open-database.ts'
import { openPool } from './open-postgres.ts'
import { PostgresDriver, postgresDialect } from './postgres-dialect.ts'
import type { Database, Tables } from './tables.ts'
import { markUnfinished, noteSource, removeMark } from './unfinished-copy.ts'

type Filling = CopyOptions & {
  url: string
  migrations: Record<string, Migration>
  source: Database
  /** Names the rows of the source: a copy of others is not gone on with but begun anew. */
  sourceVersion: string
  /** What else belongs into the database before anybody may open it. */
  finish: (target: Database) => Promise<void>
}

/**
 * Fills an empty PostgreSQL database with the rows of another one, which must stand still meanwhile. Until all is there
 * and compared the database bears a mark, and no service opens it; what was interrupted is gone on with by the next call.
 * Throws DatabaseNotEmpty, CopyDiffers and DatabaseUnavailable.
 */
export async function fillPostgres(filling: Filling): Promise<CopiedTable[]> {
  const { url, migrations, source, sourceVersion, finish, ...options } = filling
  const begun = await marked(url)
  const { db, close } = await openDatabase({ url }, migrations)
  try {
    if (begun !== sourceVersion) {
      await noteSource(db, '')
      await emptyTables(db)
      await noteSource(db, sourceVersion)
    }
    const copied = await copyTables(source, db, options)
    await finish(db)
    await removeMark(db)
    return copied
  } catch (error) {
    if (error instanceof CopyDiffers) await noteSource(db, '')
    throw error
  } finally {
    await close()
  }
}

/**
 * Marks an empty database, or answers what its mark says of the rows. Ahead of the migrations, which would make tables in a
 * database that is somebody else's. Throws DatabaseNotEmpty.
 */
export async function marked(url: string): Promise<string> {
  const pool = openPool(url, { max: 1 })
  const driver = new PostgresDriver({ transactions: pool, reads: pool })
  const db = new Kysely<Tables>({ dialect: postgresDialect(driver) })
  return markUnfinished(db).finally(() => pool.end())
}
