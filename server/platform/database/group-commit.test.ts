import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  databaseForTest,
  type NotesDatabase,
  readCommittedNotes,
} from '../../../tests/support/database/test-database.ts'
import { runTogether } from './compile-once.ts'
import type { Tx } from './tables.ts'

const insert = (db: NotesDatabase, text: string) => db.insertInto('notes').values({ text }).execute()

/** If the text exists, SQLite rolls back the whole group. */
const insertOrRollback = (db: NotesDatabase, text: string) =>
  sql`insert or rollback into notes (text) values (${text})`.execute(db)

/** Resolves when all earlier statements have reached the writer. */
const queued = () => new Promise((resolve) => setImmediate(resolve))

/** A running transaction; later ones wait and join its group. */
function longOperation(db: NotesDatabase, text: string) {
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const ended = db.transaction().execute(async (tx) => {
    await insert(tx, text)
    begun.resolve()
    await gate.promise
  })
  return { begun: begun.promise, finish: gate.resolve, ended }
}

/** Counts the commits in the WAL: the last frame of a commit has a nonzero size field. */
function commitsInLog(file: string): number {
  const log = readFileSync(`${file}-wal`)
  if (log.length === 0) return 0
  const pageBytes = log.readUInt32BE(8)
  let commits = 0
  for (let frame = 32; frame < log.length; frame += 24 + pageBytes) if (log.readUInt32BE(frame + 4) !== 0) commits++
  return commits
}

test('the one writer commits waiting transactions together', async () => {
  const { db, file } = await databaseForTest()
  const before = commitsInLog(file)
  const first = longOperation(db, 'first')
  await first.begun
  const others = Array.from({ length: 40 }, (_, index) => insert(db, `note ${index}`))
  await queued()
  first.finish()
  await Promise.all([first.ended, ...others])
  expect(readCommittedNotes(file)).toHaveLength(41)
  // A group closes after 25 ms, so there are several commits if a slow machine needs longer for all transactions.
  expect(commitsInLog(file) - before).toBeLessThan(15)
})

test('the one writer resolves a transaction when other connections can read it', async () => {
  const { db, file } = await databaseForTest()
  const answers = Array.from({ length: 100 }, async (_, index) => {
    await insert(db, `note ${index}`)
    return readCommittedNotes(file).includes(`note ${index}`)
  })
  expect(await Promise.all(answers)).toEqual(answers.map(() => true))
})

test('the one writer closes a group after 64 transactions', async () => {
  const { db, file } = await databaseForTest()
  const transactions = Array.from({ length: 300 }, (_, index) => insert(db, `note ${index}`))
  await transactions[0]
  expect(readCommittedNotes(file).length).toBeLessThanOrEqual(64)
  await Promise.all(transactions)
})

test('the one writer commits at once if no transaction waits, and nothing for empty ones, alone or in a group', async () => {
  const { db, file } = await databaseForTest()
  const before = commitsInLog(file)
  await db.transaction().execute(async () => undefined)
  expect(commitsInLog(file)).toBe(before)
  for (const text of ['a', 'b']) await insert(db, text)
  expect(commitsInLog(file)).toBe(before + 2)
  const first = longOperation(db, 'first')
  await first.begun
  const idle = db.transaction().execute(async () => 'nothing')
  const failed = db.transaction().execute(() => Promise.reject(new Error('changed its mind')))
  const last = insert(db, 'last')
  await queued()
  first.finish()
  await expect(failed).rejects.toThrow('changed its mind')
  expect(await Promise.all([first.ended, idle, last])).toContain('nothing')
  expect(readCommittedNotes(file)).toEqual(['a', 'b', 'first', 'last'])
})

test('the one writer rolls back only the failed transaction of a group', async () => {
  const { db, file } = await databaseForTest()
  const first = longOperation(db, 'first')
  await first.begun
  const transactions = [
    insert(db, 'second'),
    db.transaction().execute(async (tx) => {
      await insert(tx, 'half of it')
      throw new Error('changed its mind')
    }),
    insert(db, 'second'),
    insert(db, 'third'),
  ]
  await queued()
  first.finish()
  const outcomes = await Promise.allSettled([first.ended, ...transactions])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled'])
  expect(readCommittedNotes(file)).toEqual(['first', 'second', 'third'])
})

test('the one writer runs queries in their order, together too, and continues a transaction after a caught error', async () => {
  const { db, file } = await databaseForTest()
  await insert(db, 'taken')
  await db.transaction().execute(async (tx) => {
    await expect(insert(tx, 'taken')).rejects.toThrow('UNIQUE')
    await insert(tx, 'free')
  })
  expect(readCommittedNotes(file)).toEqual(['taken', 'free'])
  await db.deleteFrom('notes').execute()
  const add = (text: string) => db.insertInto('notes').values({ text }).returning('text').compile()
  const list = db.selectFrom('notes').select('text').orderBy('id').compile()
  await db.transaction().execute(async (tx) => {
    const rows = await runTogether(tx as unknown as Tx, [add('a'), list, add('b'), list])
    expect(rows).toEqual([['a'], ['a'], ['b'], ['a', 'b']].map((texts) => texts.map((text) => ({ text }))))
    await expect(runTogether(tx as unknown as Tx, [add('c'), add('a'), add('d')])).rejects.toThrow('UNIQUE')
    await insert(tx, 'e')
  })
  expect(readCommittedNotes(file)).toEqual(['a', 'b', 'c', 'e'])
  const rollsBack = sql`insert or rollback into notes (text) values (${'a'})`.compile(db)
  const failed = db.transaction().execute((tx) => runTogether(tx as unknown as Tx, [add('f'), rollsBack, add('g')]))
  await expect(failed).rejects.toThrow()
  expect(readCommittedNotes(file)).toEqual(['a', 'b', 'c', 'e'])
})

test('the one writer rejects every transaction of a group that SQLite rolled back', async () => {
  const { db, file } = await databaseForTest()
  await insert(db, 'taken')
  const first = longOperation(db, 'first')
  await first.begun
  const second = insert(db, 'second')
  const third = db.transaction().execute(async (tx) => {
    await expect(insertOrRollback(tx, 'taken')).rejects.toThrow('UNIQUE')
    await insert(tx, 'after the end')
  })
  await queued()
  first.finish()
  const outcomes = await Promise.allSettled([first.ended, second, third])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(readCommittedNotes(file)).toEqual(['taken'])
  await insert(db, 'next')
  expect(readCommittedNotes(file)).toEqual(['taken', 'next'])
})
