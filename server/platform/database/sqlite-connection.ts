import Sqlite from 'better-sqlite3'
import { LRUCache } from 'lru-cache'

export type SqliteConnection = {
  run: (sql: string, parameters: readonly unknown[]) => { rows: unknown[]; changes: number }
  inTransaction: () => boolean
  close: () => void
}

const maxIdleLogBytes = 16 * 2 ** 20

type ConnectionOptions = { file: string; readonly: boolean }

/** Uses WAL with durable commits (synchronous FULL), and waits up to 10 s for a write of another process. */
export function openSqlite({ file, readonly }: ConnectionOptions): Sqlite.Database {
  const sqlite = new Sqlite(file, { readonly, timeout: 10_000 })
  if (!readonly) {
    sqlite.pragma('journal_mode = WAL')
    sqlite.pragma('synchronous = FULL')
    // A large transaction must not keep its space for good.
    sqlite.pragma(`journal_size_limit = ${maxIdleLogBytes}`)
  }
  sqlite.pragma('foreign_keys = ON')
  sqlite.pragma('cache_size = -4000')
  sqlite.pragma('temp_store = MEMORY')
  return sqlite
}

export function openConnection(options: ConnectionOptions): SqliteConnection {
  const sqlite = openSqlite(options)
  const statements = new LRUCache<string, Sqlite.Statement<unknown[], unknown>>({ max: 200 })

  return {
    run(sql, parameters) {
      let statement = statements.get(sql)
      if (!statement) {
        statement = sqlite.prepare<unknown[], unknown>(sql)
        statements.set(sql, statement)
      }
      if (statement.reader) return { rows: statement.all(...parameters), changes: 0 }
      return { rows: [], changes: statement.run(...parameters).changes }
    },
    inTransaction: () => sqlite.inTransaction,
    close: () => void sqlite.close(),
  }
}
