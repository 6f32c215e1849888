import { isDeepStrictEqual } from 'node:util'
import type { Database as Sqlite } from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Changes } from '../background/changes.ts'
import { assertSchemaVersion } from './assert-schema-version.ts'
import type { OpenDatabase } from './open-database.ts'
import { repeatAfter } from './repeat-after.ts'
import { openSqlite } from './sqlite-connection.ts'
import { sqliteDialect, ThreadedSqliteDriver } from './sqlite-dialect.ts'
import type { Tables } from './tables.ts'

const foreignCommitPollMilliseconds = 200

/** Opens the SQLite file, creating it when it is missing, and brings it to the newest migration. */
export async function openSqliteDatabase(file: string, migrations: Record<string, Migration>): Promise<OpenDatabase> {
  await migrate(file, migrations)
  const driver = new ThreadedSqliteDriver(file)
  const db = new Kysely<Tables>({ dialect: sqliteDialect(driver) })

  const followers: Changes[] = []
  let seenVersion = await driver.foreignVersion()
  const poll = repeatAfter(foreignCommitPollMilliseconds, async () => {
    const version = await driver.foreignVersion()
    if (version === seenVersion) return
    seenVersion = version
    for (const changes of followers) changes.tellAll()
  })

  return {
    kind: 'sqlite',
    db,
    node: 'only',
    follow: (changes) => followers.push(changes),
    alone: async (_name, work) => {
      await work()
      return true
    },
    close: async () => {
      await poll.stop()
      await db.destroy()
      await driver.close()
    },
  }
}

/**
 * On a connection of its own, before the service reads or writes anything. All in one transaction, so that a crash
 * leaves nothing half-done, and that a second process waits and then finds it done. A file that has them all is only read.
 */
async function migrate(file: string, migrations: Record<string, Migration>): Promise<void> {
  const sqlite = openSqlite({ file, readonly: false })
  const done = namesOf(sqlite)
  if (isDeepStrictEqual(done, Object.keys(migrations).sort())) {
    sqlite.close()
    return
  }
  assertSchemaVersion(done, Object.keys(migrations))
  const { Migrator } = await import('kysely/migration')
  const db = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) })
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  sqlite.exec('begin immediate')
  const { error } = await migrator.migrateToLatest()
  sqlite.exec(error ? 'rollback' : 'commit')
  await db.destroy()
  if (error) throw error
}

/** Of the migrations that the file has been through, in their order. */
function namesOf(sqlite: Sqlite): string[] {
  const table = sqlite.prepare("select 1 from sqlite_master where name = 'kysely_migration'").get()
  if (!table) return []
  return sqlite.prepare<[], string>('select name from kysely_migration order by name').pluck().all()
}
