import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Tables } from './tables.ts'

export type SqliteFile = ReturnType<typeof openSqliteFile>

/**
 * Opens a SQLite file that no service uses, such as a backup, on this thread. It creates no files beside it, and writes
 * are durable after `close`.
 */
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
      return [...damage, ...new Set(orphans.map(({ table }) => `rows of ${table} refer to rows that are not there`))]
    },

    close: () => db.destroy(),
  }
}

const pagesAtOnce = 2000

/**
 * Copies a consistent snapshot of a SQLite database while other processes read and write it. The copy is a single file.
 */
export async function copySqlite(file: string, target: string): Promise<void> {
  const source = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 10_000 })
  try {
    // An open read transaction fixes the snapshot; without it each commit would restart the backup.
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
