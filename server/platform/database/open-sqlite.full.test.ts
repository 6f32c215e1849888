import { execFile, execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { notes, readCommittedNotes } from '../../../tests/support/database/test-database.ts'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { Changes } from '../background/changes.ts'
import { openSqliteDatabase } from './open-sqlite.ts'
import { SchemaBehind } from './opened-database.ts'

const insertNote = (text: string): Migration => ({
  async up(db: Kysely<unknown>) {
    await sql`insert into notes (text) values (${text})`.execute(db)
  },
})

const log = pino({ level: 'silent' })

function changesTo(listener: () => void): Changes {
  const changes = new Changes()
  changes.on('event', listener)
  return changes
}

function writeFromAnotherProcess(file: string): void {
  const sqlite = JSON.stringify(createRequire(import.meta.url).resolve('better-sqlite3'))
  const script = `require(${sqlite})(process.argv[1]).exec("insert into notes (text) values ('from outside')")`
  execFileSync(process.execPath, ['-e', script, file])
}

/** Opens the file with slow migrations, so that concurrent calls overlap. */
async function openInAnotherProcess(file: string): Promise<void> {
  const module = JSON.stringify(new URL('./open-sqlite.ts', import.meta.url).href)
  const kysely = JSON.stringify(import.meta.resolve('kysely'))
  const script = `
    const { openSqliteDatabase } = await import(${module})
    const { sql } = await import(${kysely})
    // Long enough for the migrations of the two processes to overlap.
    const pause = () => new Promise((resolve) => setTimeout(resolve, 100))
    const { close } = await openSqliteDatabase(process.argv[2], {
      '0001-notes': { up: (db) => sql.raw('create table notes (id integer primary key, text text)').execute(db).then(pause) },
      '0002-a': { up: (db) => sql.raw("insert into notes (text) values ('a')").execute(db).then(pause) },
    })
    await close()`
  const program = `${file}.mjs`
  await writeFile(program, script)
  await promisify(execFile)(process.execPath, [program, file])
}

async function opened(file: string, migrations: Record<string, Migration>) {
  const database = await openSqliteDatabase(file, migrations)
  onTestFinished(database.close)
  return database
}

test('migrations run once, in name order, and those between two releases in any order', async () => {
  const file = join(await temporaryFolder(), 'test.db')
  const migrations = { '0001-notes': notes, '0002-a': insertNote('a') }
  await (await openSqliteDatabase(file, migrations)).close()
  const more = { '0003-b': insertNote('b'), ...migrations }
  for (const all of [more, more, { ...more, '0002-c': insertNote('c') }])
    await (await openSqliteDatabase(file, all)).close()
  expect(readCommittedNotes(file)).toEqual(['a', 'b', 'c'])
})

test('migrations of a newer version stop the start with a message', async () => {
  const file = join(await temporaryFolder(), 'test.db')
  await (await openSqliteDatabase(file, { '0001-notes': notes, '0002-a': insertNote('a') })).close()
  const older = openSqliteDatabase(file, { '0001-notes': notes })
  await expect(older).rejects.toThrow('newer version of Proofroom (0002-a)')
  expect(readCommittedNotes(file)).toEqual(['a'])
})

test('migrations that are missing stop what does not migrate, and change nothing; an empty file has them all', async () => {
  const file = join(await temporaryFolder(), 'test.db')
  const first = { '0001-notes': notes }
  await (await openSqliteDatabase(file, first, { migrates: false })).close()
  await (await openSqliteDatabase(file, first, { migrates: false })).close()
  const behind = openSqliteDatabase(file, { ...first, '0002-a': insertNote('a') }, { migrates: false })
  await expect(behind).rejects.toThrow(SchemaBehind)
  expect(readCommittedNotes(file)).toEqual([])
})

test('migrations run once when two processes open a new file', async () => {
  const file = join(await temporaryFolder(), 'test.db')
  await Promise.all([openInAnotherProcess(file), openInAnotherProcess(file)])
  expect(readCommittedNotes(file)).toEqual(['a'])
})

test('migrations leave no changes when one fails, so that the next start runs all', async () => {
  const file = join(await temporaryFolder(), 'test.db')
  const broken: Migration = {
    async up(db: Kysely<unknown>) {
      await sql`insert into notes (text) values ('half')`.execute(db)
      throw new Error('crashed midway')
    },
  }
  await expect(openSqliteDatabase(file, { '0001-notes': notes, '0002-a': broken })).rejects.toThrow('crashed midway')
  await opened(file, { '0001-notes': notes, '0002-a': insertNote('whole') })
  expect(readCommittedNotes(file)).toEqual(['whole'])
})

test('closing ends all threads, also when no query was run', async () => {
  const ports = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length
  // Other ports of this process, such as those of a service that tests share.
  const others = ports()
  const { close } = await openSqliteDatabase(join(await temporaryFolder(), 'test.db'), { '0001-notes': notes })
  // One port of the thread and one of its connection.
  expect(ports()).toBe(others + 2)
  await close()
  expect(ports()).toBe(others)
})

test('writes of other processes drop all caches', async () => {
  const file = join(await temporaryFolder(), 'test.db')
  const { follow } = await opened(file, { '0001-notes': notes })
  const received = new Promise<void>((resolve) => follow(changesTo(resolve), log))
  writeFromAnotherProcess(file)
  await received
  expect(readCommittedNotes(file)).toEqual(['from outside'])
})
