import { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { openConnection } from './sqlite-connection.ts'
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
  openConnection({ file, readonly: false }).close()
  const driver = new ThreadedSqliteDriver(file)
  const db = new Kysely<Tables>({ dialect: sqliteDialect(driver) })
  await migrate(db, migrations)

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
    },
  }
}

async function migrate(db: Database, migrations: Record<string, Migration>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
