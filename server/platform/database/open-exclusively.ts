import { statSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Database, Tables } from './tables.ts'

export class DatabaseInUse extends Error {}

export type ExclusiveDatabase = {
  db: Database
  /** Changes whenever the file is written. */
  version: string
  close: () => Promise<void>
}

const waitMs = 2000

/** Opens a SQLite file with an exclusive lock. Throws DatabaseInUse when another process has it open. */
export function openExclusively(file: string): ExclusiveDatabase {
  const sqlite = new Sqlite(file, { fileMustExist: true, timeout: waitMs })
  try {
    sqlite.pragma('locking_mode = exclusive')
    sqlite.pragma('wal_checkpoint(truncate)')
    sqlite.exec('begin exclusive; commit')
  } catch (error) {
    sqlite.close()
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) throw new DatabaseInUse(`${file} is in use`)
    throw error
  }
  const { mtimeMs, size } = statSync(file)
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
  return {
    db,
    version: `${mtimeMs} ${size}`,
    async close() {
      await db.destroy()
      sqlite.close()
    },
  }
}
