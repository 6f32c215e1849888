import { existsSync, statSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { notes, readCommittedNotes } from '../../../tests/support/database/test-database.ts'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { openSqliteDatabase } from './open-sqlite.ts'
import type { Database, Tx } from './tables.ts'
import { inTransaction } from './transaction.ts'

const reserveBytes = 100_000
const longText = 'x'.repeat(50_000)

async function openWithReserve() {
  const file = join(await temporaryFolder(), 'test.db')
  const { db, reserve, close } = await openSqliteDatabase(file, { '0001-notes': notes }, { reserveBytes })
  onTestFinished(close)
  await reserve?.refill()
  return { db, file, reserve, reserveFile: join(dirname(file), 'reserve') }
}

/** As on a full disk, SQLite cannot add pages to the file. */
const setMaxPages = (db: Database | Tx, pages: number) => sql.raw(`pragma max_page_count = ${pages}`).execute(db)
const addNote = (db: Database | Tx, text = longText) => sql`insert into notes (text) values (${text})`.execute(db)

test('on a full disk the reserve is released and a transaction runs once more; an incomplete reserve is completed', async () => {
  const { db, file, reserve, reserveFile } = await openWithReserve()
  expect(statSync(reserveFile).size).toBe(reserveBytes)
  await setMaxPages(db, 1)
  let runs = 0
  await inTransaction(db, 'work test', async (tx) => {
    runs++
    if (!existsSync(reserveFile)) await setMaxPages(tx, 1_000_000)
    await addNote(tx)
  })
  expect(runs).toBe(2)
  expect(readCommittedNotes(file)).toEqual([longText])
  expect(reserve?.isInUse()).toBe(true)

  await reserve?.refill()
  truncateSync(reserveFile, 10)
  await reserve?.refill()
  expect([statSync(reserveFile).size, reserve?.isInUse()]).toEqual([reserveBytes, false])
})

test('a write fails with SQLITE_FULL when the reserve is not enough, and without a reserve it runs once', async () => {
  const { db, file, reserveFile } = await openWithReserve()
  await setMaxPages(db, 1)
  await expect(addNote(db)).rejects.toMatchObject({ code: 'SQLITE_FULL' })
  expect(existsSync(reserveFile)).toBe(false)
  let runs = 0
  const second = inTransaction(db, 'work test', async (tx) => {
    runs++
    await addNote(tx)
  })
  await expect(second).rejects.toMatchObject({ code: 'SQLITE_FULL' })
  expect(runs).toBe(1)
  expect(readCommittedNotes(file)).toEqual([])
})
