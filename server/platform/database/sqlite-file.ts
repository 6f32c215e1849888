import { statSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Database, Tables } from './tables.ts'

export type SqliteFile = ReturnType<typeof openSqliteFile>

/** Opens a SQLite file that no service uses. Creates no other files. Does not sync its writes to the disk. */
export function openSqliteFile(file: string, { readonly = false } = {}) {
  const sqlite = new Sqlite(file, { readonly, fileMustExist: true })
  if (!readonly) {
    sqlite.pragma('journal_mode = memory')
    sqlite.pragma('synchronous = off')
    sqlite.pragma('foreign_keys = on')
  }
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })

  const names = (sql: string) => sqlite.prepare<[], string>(sql).pluck().all()

  return {
    db,

    countRows(): Record<string, number> {
      const tables = names(
        `select name from sqlite_master where type = 'table' and substr(name, 1, 7) not in ('sqlite_', 'kysely_')
          order by name`,
      )
      const count = (table: string) => Number(sqlite.prepare(`select count(*) from "${table}"`).pluck().get())
      return Object.fromEntries(tables.map((table) => [table, count(table)]))
    },

    migrations: (): string[] => names('select name from kysely_migration order by name'),

    /** Returns what the integrity checks of SQLite report; empty for an intact file. */
    findDamage(): string[] {
      const damage = names('pragma integrity_check(20)').filter((line) => line !== 'ok')
      const orphans = sqlite.prepare<[], { table: string }>('pragma foreign_key_check').all()
      return [...damage, ...new Set(orphans.map(({ table }) => `rows of ${table} refer to rows that do not exist`))]
    },

    close: () => db.destroy(),
  }
}

const pagesAtOnce = 2000

/** Copies a consistent snapshot into a single file while other processes read and write the database. */
export async function copySqlite(file: string, target: string): Promise<void> {
  const source = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 10_000 })
  try {
    // An open read transaction fixes the snapshot. Without it each commit of another process would restart the backup.
    source.exec('begin')
    source.prepare('select count(*) from sqlite_master').get()
    await source.backup(target, { progress: () => pagesAtOnce })
  } finally {
    source.close()
  }
  const copy = new Sqlite(target)
  copy.pragma('journal_mode = delete')
  copy.close()
}

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
