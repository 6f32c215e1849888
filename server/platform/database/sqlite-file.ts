import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Tables } from './tables.ts'

export type SqliteFile = ReturnType<typeof openSqliteFile>

/**
 * A SQLite file that no service has open, such as that of a backup, on this thread. It stays one file: nothing is kept
 * beside it. What is written is durable with `close`.
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

    /** How many rows each table has. */
    countRows(): Record<string, number> {
      const tables = names(
        `select name from sqlite_master where type = 'table' and substr(name, 1, 7) not in ('sqlite_', 'kysely_')
          order by name`,
      )
      const count = (table: string) => Number(sqlite.prepare(`select count(*) from "${table}"`).pluck().get())
      return Object.fromEntries(tables.map((table) => [table, count(table)]))
    },

    /** The migrations it has been through. */
    migrations: (): string[] => names('select name from kysely_migration order by name'),

    /** What SQLite finds to be wrong with it: nothing, in a sound one. */
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
 * Copies a SQLite database as it is at one moment, by SQLite's own backup, while others go on reading and writing. The
 * copy is one file.
 */
export async function copySqlite(file: string, target: string): Promise<void> {
  const source = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 10_000 })
  try {
    // Within a transaction that has read something the moment stands still: a commit does not begin the copy anew.
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
