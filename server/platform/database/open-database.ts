import { Kysely, SqliteDialect } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { openSqlite } from './sqlite-connection.ts'
import { sqliteDialect, ThreadedSqliteDriver } from './sqlite-dialect.ts'
import type { Database, Tables } from './tables.ts'

const outsideChangePollMilliseconds = 200

export type OpenDatabase = {
  db: Database
  /** Calls back within 250 ms after anybody, also another process, has committed. */
  onCommit: (listener: () => void) => void
  close: () => Promise<void>
}

/** Opens the SQLite file, creating it when it is missing, and brings it to the newest migration. */
export async function openDatabase(file: string, migrations: Record<string, Migration>): Promise<OpenDatabase> {
  await migrate(file, migrations)
  const driver = new ThreadedSqliteDriver(file)
  const db = new Kysely<Tables>({ dialect: sqliteDialect(driver) })

  const listeners: Array<() => void> = []
  let seenVersion = driver.dataVersion()
  const poll = setInterval(() => {
    const version = driver.dataVersion()
    if (version === seenVersion) return
    seenVersion = version
    for (const listener of listeners) listener()
  }, outsideChangePollMilliseconds)
  poll.unref()

  return {
    db,
    onCommit: (listener) => listeners.push(listener),
    close: async () => {
      clearInterval(poll)
      await db.destroy()
      await driver.close()
    },
  }
}

/**
 * On a connection of its own, before the service reads or writes anything. All in one transaction, so that a crash
 * leaves nothing half-done, and that a second process waits and then finds it done.
 */
async function migrate(file: string, migrations: Record<string, Migration>): Promise<void> {
  const sqlite = openSqlite({ file, readonly: false })
  const db = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) })
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  sqlite.exec('begin immediate')
  const { error } = await migrator.migrateToLatest()
  sqlite.exec(error ? 'rollback' : 'commit')
  await db.destroy()
  if (error) throw error
}
