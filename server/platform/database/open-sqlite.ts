import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Database as Sqlite } from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Changes } from '../background/changes.ts'
import { createSpaceTracker } from '../storage/free-space.ts'
import { createDiskReserve } from './disk-reserve.ts'
import {
  assertSchemaVersion,
  migratorOptions,
  type OpenDatabase,
  type OpenOptions,
  type SchemaOptions,
} from './opened-database.ts'
import { openSqlite } from './sqlite-connection.ts'
import { sqliteDialect, ThreadedSqliteDriver } from './sqlite-dialect.ts'
import type { Tables } from './tables.ts'

const dataVersionPollMs = 200
/** More than most writes of a guest add to the write-ahead log. */
const guestWriteBytes = 2 ** 16

export async function openSqliteDatabase(
  file: string,
  migrations: Record<string, Migration>,
  options: OpenOptions = {},
): Promise<OpenDatabase> {
  const reserve = createDiskReserve(dirname(file), options.reserveBytes)
  const freeSpace = createSpaceTracker(dirname(file))
  // Opening a database creates files.
  reserve.releaseIfScarce()
  await migrate(file, migrations, options)
  const driver = new ThreadedSqliteDriver(file, reserve)
  const db = new Kysely<Tables>({ dialect: sqliteDialect(driver) })

  const followers: Changes[] = []
  let lastVersion = await driver.readDataVersion()
  const poll = repeatAfter(dataVersionPollMs, async () => {
    const version = await driver.readDataVersion()
    if (version === lastVersion) return
    lastVersion = version
    for (const changes of followers) changes.notifyAll()
  })

  return {
    kind: 'sqlite',
    db,
    node: 'only',
    commits: driver.commits,
    reserve,
    ensureSpaceForGuest: () => freeSpace.reserve(guestWriteBytes, 'guest'),
    follow: (changes) => followers.push(changes),
    runExclusively: async (_name, work) => {
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
 * Migrates on a separate connection, in one transaction: a crash leaves no partial migration, and a second process
 * waits for the first. A file that has all migrations is only read.
 */
async function migrate(file: string, migrations: Record<string, Migration>, options: SchemaOptions): Promise<void> {
  const sqlite = openSqlite({ file, readonly: false })
  const done = readMigrationNames(sqlite)
  if (isDeepStrictEqual(done, Object.keys(migrations).sort())) {
    sqlite.close()
    return
  }
  assertSchemaVersion(done, Object.keys(migrations), options)
  const { Migrator } = await import('kysely/migration')
  const db = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) })
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations }, ...migratorOptions })
  sqlite.exec('begin immediate')
  const { error } = await migrator.migrateToLatest()
  sqlite.exec(error ? 'rollback' : 'commit')
  await db.destroy()
  if (error) throw error
}

function readMigrationNames(sqlite: Sqlite): string[] {
  const table = sqlite.prepare("select 1 from sqlite_master where name = 'kysely_migration'").get()
  if (!table) return []
  return sqlite.prepare<[], string>('select name from kysely_migration order by name').pluck().all()
}

export function repeatAfter(pauseMs: number, work: () => Promise<void>): { stop: () => Promise<void> } {
  let isStopped = false
  let currentRun = Promise.resolve()
  let timer: NodeJS.Timeout
  const next = () => {
    timer = setTimeout(() => {
      currentRun = work().then(() => {
        if (!isStopped) next()
      })
    }, pauseMs).unref()
  }
  next()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await currentRun
    },
  }
}
