import { type Generated, type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { expect, inject, onTestFinished, test } from 'vitest'
import { getDatabaseUrl, withPostgresClient } from '../../../tests/support/database/postgres-databases.ts'
import { startTcpProxy } from '../../../tests/support/network/tcp-proxy.ts'
import { openPostgresDatabase } from './open-postgres.ts'
import { DatabaseUnavailable, OutcomeUnknown } from './opened-database.ts'
import { isOneOf, shortRead } from './short-read.ts'
import type { Database } from './tables.ts'
import { inSnapshot, inTransaction } from './transaction.ts'

type Notes = {
  notes: { id: Generated<number>; text: string; count: Generated<number>; share: Generated<number | null> }
}

const notes: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table notes (
      id integer primary key autoincrement, text text not null unique, count integer not null default 0, share real)`.execute(
      db,
    )
  },
}

let made = 0

/** A new database with one table, behind a proxy that the test can close. */
async function openNotes() {
  const server = inject('backEnds')?.postgres.url ?? ''
  const name = `${inject('backEnds')?.postgres.template}_dialect_${++made}`
  await withPostgresClient(server, (client) => client.query(`create database ${name}`))
  const proxy = await startTcpProxy({ port: Number(new URL(server).port) })
  const url = new URL(getDatabaseUrl(server, name))
  url.port = String(proxy.port)
  const { db, close } = await openPostgresDatabase(url.href, { '0001-notes': notes })
  onTestFinished(async () => {
    proxy.open()
    await close()
    await proxy.close()
  })
  return { db, notes: db as unknown as Kysely<Notes>, proxy, url: getDatabaseUrl(server, name) }
}

const waiting = (url: string): Promise<number> =>
  withPostgresClient(url, async (client) => {
    const { rows } = await client.query(
      `select count(*)::integer as count from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`,
    )
    return rows[0].count
  })

const idleInTransaction = (url: string): Promise<number> =>
  withPostgresClient(url, async (client) => {
    const { rows } = await client.query(
      `select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`,
    )
    return rows[0].count
  })

const write = (db: Database, text: string) =>
  (db as unknown as Kysely<Notes>).insertInto('notes').values({ text }).execute()

const texts = async (db: Database): Promise<string[]> => {
  const rows = await (db as unknown as Kysely<Notes>).selectFrom('notes').select('text').orderBy('id').execute()
  return rows.map(({ text }) => text)
}

test('integers, fractions, counts and comparisons are numbers; NaN matches no row', async () => {
  const { notes } = await openNotes()
  await notes
    .insertInto('notes')
    .values({ text: 'a', count: 2 ** 53 - 1, share: 0.1 })
    .execute()
  const row = await notes
    .selectFrom('notes')
    .select(['count', 'share', sql`count > 5`.as('isLarge'), sql`count(*) over ()`.as('all')])
    .select(sql`sum(count) over ()`.as('sum'))
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ count: 2 ** 53 - 1, share: 0.1, isLarge: 1, all: 1, sum: 2 ** 53 - 1 })
  expect(await notes.selectFrom('notes').selectAll().where('id', '=', Number.NaN).execute()).toEqual([])
})

test('text is compared byte by byte, whatever the locale of the server', async () => {
  const { db, notes } = await openNotes()
  for (const text of ['b', 'a', 'B', 'é', 'Z', '_', '~']) await write(db, text)
  const rows = await notes.selectFrom('notes').select('text').orderBy('text').execute()
  expect(rows.map(({ text }) => text)).toEqual(['B', 'Z', '_', 'a', 'b', '~', 'é'])
})

test('transactions with one lock run in order and see earlier writes', async () => {
  const { db, notes } = await openNotes()
  await write(db, 'counter')
  const countUp = () =>
    inTransaction(db, 'event 7', async (tx) => {
      const counter = tx as unknown as Kysely<Notes>
      const { count } = await counter.selectFrom('notes').select('count').executeTakeFirstOrThrow()
      await counter
        .updateTable('notes')
        .set({ count: count + 1 })
        .execute()
    })
  await Promise.all(Array.from({ length: 30 }, countUp))
  expect(await notes.selectFrom('notes').select('count').executeTakeFirstOrThrow()).toEqual({ count: 30 })
})

test('transactions with other locks run concurrently, and `everything` runs alone', async () => {
  const { db, url } = await openNotes()
  const results: string[] = []
  const gate = Promise.withResolvers<void>()
  const entered = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const withLock = (index: number) =>
    inTransaction(db, `event ${index}`, async () => {
      entered[index]?.resolve()
      await gate.promise
      results.push('lock')
    })
  const locked = [withLock(0), withLock(1)]
  await Promise.all(entered.map(({ promise }) => promise))
  const everything = inTransaction(db, 'everything', async () => void results.push('everything'))
  await expect.poll(() => waiting(url)).toBe(1)
  const later = inTransaction(db, 'event 2', async () => void results.push('later'))
  await expect.poll(() => waiting(url)).toBe(2)
  gate.resolve()
  await Promise.all([...locked, everything, later])
  expect(results).toEqual(['lock', 'lock', 'everything', 'later'])
})

test('reads do not wait for transactions', async () => {
  const { db, url } = await openNotes()
  await write(db, 'before')
  const gate = Promise.withResolvers<void>()
  const transactions = Array.from({ length: 20 }, (_, index) =>
    inTransaction(db, 'everything', async (tx) => {
      await write(tx, `transaction ${index}`)
      await gate.promise
    }),
  )
  await expect.poll(() => waiting(url)).toBeGreaterThan(0)
  expect(await texts(db)).toEqual(['before'])
  expect(await inSnapshot(db, texts)).toEqual(['before'])
  gate.resolve()
  await Promise.all(transactions)
  expect(await texts(db)).toHaveLength(21)
})

test('a snapshot is consistent and read-only; concurrent statements of a transaction run in call order', async () => {
  const { db } = await openNotes()
  await inSnapshot(db, async (tx) => {
    expect(await texts(tx)).toEqual([])
    await write(db, 'meanwhile')
    expect(await texts(tx)).toEqual([])
  })
  await expect(inSnapshot(db, (tx) => write(tx, 'never'))).rejects.toThrow('read-only')
  const asked = ['a', 'b', 'c', 'd']
  await inTransaction(db, 'everything', (tx) => Promise.all(asked.map((text) => write(tx, text))))
  expect(await texts(db)).toEqual(['meanwhile', ...asked])
})

test('a failed transaction writes nothing, also after a caught error', async () => {
  const { db } = await openNotes()
  const failing = inTransaction(db, 'everything', async (tx) => {
    await write(tx, 'a')
    throw new Error('changed its mind')
  })
  await expect(failing).rejects.toThrow('changed its mind')
  const swallowing = inTransaction(db, 'everything', async (tx) => {
    await write(tx, 'a')
    await expect(write(tx, 'a')).rejects.toThrow('duplicate key')
  })
  await expect(swallowing).rejects.toThrow('The transaction has failed')
  expect(await texts(db)).toEqual([])
})

test('a lost database is DatabaseUnavailable until it is back', async () => {
  const { db, proxy } = await openNotes()
  await write(db, 'before')
  proxy.cut()
  await expect(texts(db)).rejects.toBeInstanceOf(DatabaseUnavailable)
  await expect(inTransaction(db, 'everything', (tx) => write(tx, 'never'))).rejects.toBeInstanceOf(DatabaseUnavailable)
  await expect(inSnapshot(db, texts)).rejects.toBeInstanceOf(DatabaseUnavailable)
  // Nothing was sent, so the outcome is known.
  await expect(write(db, 'never')).rejects.not.toBeInstanceOf(OutcomeUnknown)
  proxy.open()
  await write(db, 'after')
  expect(await texts(db)).toEqual(['before', 'after'])
})

test('a transaction that the server ended by timeout is DatabaseUnavailable', async () => {
  const { db, proxy, url } = await openNotes()
  const held = inTransaction(db, 'everything', async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 100`.execute(tx)
    await write(tx, 'a')
    proxy.stall()
    await expect.poll(() => idleInTransaction(url)).toBe(0)
    const writing = write(tx, 'b')
    proxy.open()
    await writing
  })
  await expect(held).rejects.toBeInstanceOf(DatabaseUnavailable)
  expect(await texts(db)).toEqual([])
})

test('a transaction that loses its connection is rolled back', async () => {
  const { db, proxy } = await openNotes()
  proxy.disconnectOnText('insert')
  const transaction = inTransaction(db, 'everything', (tx) => write(tx, 'lost'))
  await expect(transaction).rejects.toBeInstanceOf(DatabaseUnavailable)
  await expect(transaction).rejects.not.toBeInstanceOf(OutcomeUnknown)
  expect(await texts(db)).toEqual([])
})

test.for([
  { passedOn: true, kept: ['written'] },
  { passedOn: false, kept: [] },
])('a connection lost in a commit is OutcomeUnknown (sent: $passedOn)', async ({ passedOn, kept }) => {
  const { db, proxy } = await openNotes()
  proxy.disconnectOnText('commit', { passedOn })
  await expect(inTransaction(db, 'everything', (tx) => write(tx, 'written'))).rejects.toBeInstanceOf(OutcomeUnknown)
  expect(await texts(db)).toEqual(kept)
})

test('an invalid address or a newer schema stops the start with a message', async () => {
  const { url } = await openNotes()
  const start = (change: (address: URL) => void, known = { '0001-notes': notes }) => {
    const address = new URL(url)
    change(address)
    return openPostgresDatabase(address.href, known)
  }
  const nowhere = 'DATABASE_URL names a database that cannot be used'
  await expect(start((address) => (address.port = '1'))).rejects.toThrow(nowhere)
  await expect(start((address) => (address.pathname = '/nothing'))).rejects.toThrow(nowhere)
  await expect(start((address) => (address.hash = ''), {} as never)).rejects.toThrow(
    'newer version of Proofroom (0001-notes)',
  )
})

test('nodes that start together run migrations once', async () => {
  const server = inject('backEnds')?.postgres.url ?? ''
  const name = `${inject('backEnds')?.postgres.template}_dialect_start`
  await withPostgresClient(server, (client) => client.query(`create database ${name}`))
  const opened = await Promise.all(
    Array.from({ length: 4 }, () => openPostgresDatabase(getDatabaseUrl(server, name), { '0001-notes': notes })),
  )
  for (const { db, close } of opened) {
    expect(await texts(db)).toEqual([])
    await close()
  }
})

test('a short read is prepared once for a connection, other statements are not', async () => {
  const { db, notes } = await openNotes()
  const ids = [1, 2]
  for (const text of ['a', 'b']) await notes.insertInto('notes').values({ text }).execute()
  for (let count = 0; count < 2; count++) {
    const short = notes
      .selectFrom('notes')
      .select('text')
      .where(isOneOf(db, 'id', ids))
      .modifyEnd(shortRead)
    expect(await short.orderBy('id').execute()).toEqual([{ text: 'a' }, { text: 'b' }])
  }
  const { rows } = await sql`select statement from pg_prepared_statements`.execute(db)
  expect(rows).toEqual([{ statement: expect.stringContaining('"text" from "notes" where "id" = any($1)') }])
})
