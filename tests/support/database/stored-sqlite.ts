import Sqlite from 'better-sqlite3'
import { LockedError, type StoredDatabase } from './stored-database.ts'

export function openStoredSqlite(file: string): StoredDatabase {
  const sqlite = new Sqlite(file)
  return {
    prepare: (statement) => sqlite.prepare(statement) as never,
    exec: (statements) => sqlite.exec(statements),
    transaction: (change) => {
      sqlite.pragma('busy_timeout = 0')
      try {
        return sqlite.transaction(change).immediate()
      } catch (error) {
        throw (error as { code?: string }).code === 'SQLITE_BUSY' ? new LockedError() : error
      }
    },
    tables: () => sqlite.prepare<[], string>("select name from sqlite_master where type = 'table'").pluck().all(),
    columns: (table) => sqlite.prepare<[], string>(`select name from pragma_table_info('${table}')`).pluck().all(),
    contents: (tables) => tables.map((table) => sqlite.prepare(`select * from "${table}"`).all()),
    close: () => sqlite.close(),
  }
}
