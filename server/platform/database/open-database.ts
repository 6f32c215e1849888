import { isDeepStrictEqual } from 'node:util'
import type { Database as Sqlite } from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Migration } from 'kysely/migration'
import { openSqlite } from './sqlite-connection.ts'
import { sqliteDialect, ThreadedSqliteDriver } from './sqlite-dialect.ts'
import type { Database, Tables } from './tables.ts'

const foreignCommitPollMilliseconds = 200

export type OpenDatabase = {
  db: Database
  /** Calls back within 500 ms after another process has committed. */
  onForeignCommit: (listener: () => void) => void
  close: () => Promise<void>
}

/** Opens the SQLite file, creating it when it is missing, and brings it to the newest migration. */
export async function openDatabase(file: string, migrations: Record<string, Migration>): Promise<OpenDatabase> {
  await migrate(file, migrations)
  const driver = new ThreadedSqliteDriver(file)
  const db = new Kysely<Tables>({ dialect: sqliteDialect(driver) })

  const listeners: Array<() => void> = []
  let seenVersion = await driver.foreignVersion()
  const poll = repeatAfter(foreignCommitPollMilliseconds, async () => {
    const version = await driver.foreignVersion()
    if (version === seenVersion) return
    seenVersion = version
    for (const listener of listeners) listener()
  })

  return {
    db,
    onForeignCommit: (listener) => listeners.push(listener),
    close: async () => {
      await poll.stop()
      await db.destroy()
      await driver.close()
    },
  }
}

/** Runs `look` again and again with a pause between. */
function repeatAfter(pauseMs: number, look: () => Promise<void>): { stop: () => Promise<void> } {
  let isStopped = false
  let underWay = Promise.resolve()
  let timer: NodeJS.Timeout
  const next = () => {
    timer = setTimeout(() => {
      underWay = look().then(() => {
        if (!isStopped) next()
      })
    }, pauseMs).unref()
  }
  next()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await underWay
    },
  }
}

/**
 * On a connection of its own, before the service reads or writes anything. All in one transaction, so that a crash
 * leaves nothing half-done, and that a second process waits and then finds it done. A file that has them all is only read.
 */
async function migrate(file: string, migrations: Record<string, Migration>): Promise<void> {
  const sqlite = openSqlite({ file, readonly: false })
  if (hasAll(sqlite, Object.keys(migrations))) {
    sqlite.close()
    return
  }
  const { Migrator } = await import('kysely/migration')
  const db = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) })
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  sqlite.exec('begin immediate')
  const { error } = await migrator.migrateToLatest()
  sqlite.exec(error ? 'rollback' : 'commit')
  await db.destroy()
  if (error) throw error
}

/** These and no others: of a file that a newer version has written the migrator says what is wrong. */
function hasAll(sqlite: Sqlite, names: readonly string[]): boolean {
  const table = sqlite.prepare("select 1 from sqlite_master where name = 'kysely_migration'").get()
  if (!table) return false
  const done = sqlite.prepare('select name from kysely_migration order by name').pluck().all()
  return isDeepStrictEqual(done, [...names].sort())
}
