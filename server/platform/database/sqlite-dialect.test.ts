import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import {
  databaseForTest,
  type NotesDatabase,
  readCommittedNotes,
} from '../../../tests/support/database/test-database.ts'
import { isOneOf, shortRead } from './short-read.ts'
import { SqliteError, SqliteThread } from './sqlite-thread-client.ts'
import type { Database } from './tables.ts'

const insert = (db: NotesDatabase, text: string) => db.insertInto('notes').values({ text }).execute()
const list = (db: NotesDatabase) => db.selectFrom('notes').select('text').orderBy('text').execute()
const lookUp = (db: NotesDatabase, id: number) => db.selectFrom('notes').selectAll().where('id', '=', id).execute()

test('reading never waits for a long transaction, which alone sees its own writes before its commit', async () => {
  const { db, file } = await databaseForTest()
  await insert(db, 'before')
  const transaction = db.transaction().execute(async (tx) => {
    await tx.updateTable('notes').set({ text: 'during' }).execute()
    expect(await list(tx)).toEqual([{ text: 'during' }])
    expect(readCommittedNotes(file)).toEqual(['before'])
    expect(await list(db)).toEqual([{ text: 'before' }])
    expect(await lookUp(db, 1)).toEqual([{ id: 1, text: 'before', count: 0 }])
  })
  await transaction
  expect(await list(db)).toEqual([{ text: 'during' }])
  expect(await lookUp(db, 1)).toEqual([{ id: 1, text: 'during', count: 0 }])
})

test('reading never waits for another process with the write lock', async () => {
  const { db, file } = await databaseForTest()
  await insert(db, 'before')
  const { default: Sqlite } = await import('better-sqlite3')
  const other = new Sqlite(file)
  other.exec('begin immediate')
  const write = insert(db, 'after')
  expect(await list(db)).toEqual([{ text: 'before' }])
  expect(await lookUp(db, 1)).toHaveLength(1)
  other.exec('rollback')
  other.close()
  await write
  expect(await list(db)).toEqual([{ text: 'after' }, { text: 'before' }])
})

test('reading of some rows by id finds those of the list, on the main thread if it is a short read', async () => {
  const { db } = await databaseForTest()
  for (const text of ['a', 'b', 'c']) await insert(db, text)
  const send = vi.spyOn(SqliteThread.prototype, 'send')
  // The service also sends a pragma from time to time.
  const sentQueries = () => send.mock.calls.filter(([statements]) => statements[0]?.[0].startsWith('select'))
  const some = db
    .selectFrom('notes')
    .select('text')
    .where(isOneOf(db as unknown as Database, 'id', [3, 1, 9]))
  expect(await some.modifyEnd(shortRead).execute()).toEqual([{ text: 'a' }, { text: 'c' }])
  expect(sentQueries()).toEqual([])
  expect(await some.execute()).toEqual([{ text: 'a' }, { text: 'c' }])
  expect(sentQueries()).toHaveLength(1)
})

test('reading sees every completed write', async () => {
  const { db } = await databaseForTest()
  for (let count = 1; count <= 30; count++) {
    await insert(db, `note ${count}`)
    expect(await list(db)).toHaveLength(count)
    expect(await lookUp(db, count)).toHaveLength(1)
  }
})

test('writing returns the number of changed rows, and requested rows', async () => {
  const { db } = await databaseForTest()
  const inserted = await db
    .insertInto('notes')
    .values([{ text: 'a' }, { text: 'b' }])
    .returning('id')
    .execute()
  expect(inserted).toEqual([{ id: 1 }, { id: 2 }])
  const updated = await db.updateTable('notes').set({ count: 7 }).executeTakeFirstOrThrow()
  expect(updated.numUpdatedRows).toBe(2n)
  const deleted = await db.deleteFrom('notes').where('text', '=', 'none').executeTakeFirstOrThrow()
  expect(deleted.numDeletedRows).toBe(0n)
})

test('writing in a transaction never overlaps with another: 200 concurrent increments add up', async () => {
  const { db } = await databaseForTest()
  await insert(db, 'counter')
  const transactions = Array.from({ length: 200 }, () =>
    db.transaction().execute(async (tx) => {
      const { count } = await tx.selectFrom('notes').select('count').executeTakeFirstOrThrow()
      await tx
        .updateTable('notes')
        .set({ count: count + 1 })
        .execute()
    }),
  )
  await Promise.all(transactions)
  expect(await db.selectFrom('notes').select('count').executeTakeFirstOrThrow()).toEqual({ count: 200 })
})

test("an error carries SQLite's own code", async () => {
  const { db } = await databaseForTest()
  await insert(db, 'taken')
  const error = await insert(db, 'taken').catch((cause) => cause)
  expect(error).toBeInstanceOf(SqliteError)
  expect(error.code).toBe('SQLITE_CONSTRAINT_UNIQUE')
  const transaction = db.transaction().execute((tx) => sql`insert into notes (text) values (null)`.execute(tx))
  await expect(transaction).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_NOTNULL' })
  await expect(sql`select * from nothing`.execute(db)).rejects.toMatchObject({ code: 'SQLITE_ERROR' })
})
