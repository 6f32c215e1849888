import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { databaseForTest, notes } from '../../../tests/support/database/test-database.ts'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { openSqliteDatabase } from './open-sqlite.ts'
import { DatabaseInUse, openExclusively } from './sqlite-file.ts'

async function fileOfNotes(): Promise<string> {
  const file = join(await temporaryFolder(), 'test.db')
  await (await openSqliteDatabase(file, { '0001-notes': notes })).close()
  return file
}

test('a file that a service uses cannot be locked', async () => {
  const { file } = await databaseForTest()
  expect(() => openExclusively(file)).toThrow(DatabaseInUse)
})

test('other processes cannot read a locked file', async () => {
  const file = await fileOfNotes()
  const alone = openExclusively(file)
  const other = new Sqlite(file, { timeout: 0 })
  onTestFinished(() => void other.close())
  const read = () => other.prepare('select count(*) from notes').pluck().get()
  expect(read).toThrow('locked')
  await alone.close()
  expect(read()).toBe(0)
})

test('the version changes only when the file is written', async () => {
  const file = await fileOfNotes()
  const version = async () => {
    const alone = openExclusively(file)
    await alone.close()
    return alone.version
  }
  const first = await version()
  await (await openSqliteDatabase(file, { '0001-notes': notes })).close()
  expect(await version()).toBe(first)
  const { db, close } = await openSqliteDatabase(file, { '0001-notes': notes })
  await db
    .insertInto('notes' as never)
    .values({ text: 'one' } as never)
    .execute()
  await close()
  expect(await version()).not.toBe(first)
})
