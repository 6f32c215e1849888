import { expect, test } from 'vitest'
import { catchAppErrorAsync } from '../../../tests/support/clients/app-errors.ts'
import { memoryDatabase } from '../../../tests/support/database/memory-database.ts'
import { createGuestRowLimits } from './guest-row-limits.ts'

const event = 7
const times = { created_at: 1, updated_at: 1 }

async function limitsOf(max = { mark: 3, other: 4 }) {
  const { db, sqlite } = await memoryDatabase()
  let time = 0
  const clock = { now: () => time, advance: (ms: number) => (time += ms) }
  const limits = createGuestRowLimits({ db, clock }, max)
  const insert = (table: string, values: Record<string, unknown>) => {
    const names = Object.keys(values)
    sqlite
      .prepare(`insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`)
      .run(Object.values(values))
  }
  const addFeedback = (kind: string, guest: string) =>
    insert('feedback', { event_id: event, photo_id: 1, guest_id: guest, kind, is_visible: 1, ...times })
  return { limits, clock, insert, addFeedback, sqlite }
}

test('counts marks, and all other rows together', async () => {
  const { limits, addFeedback, insert } = await limitsOf()
  addFeedback('comment', 'a')
  insert('threads', { event_id: event, guest_id: 'a', kind: 'comment', created_at: 1 })
  for (const guest of ['a', 'b']) addFeedback('like', guest)
  insert('guests', { id: 'a', event_id: event, ...times })
  insert('guests', { id: 'b', event_id: 8, ...times })
  const reply = { fingerprint: 'x', holder: 'x', lease_until: 1, created_at: 1 }
  insert('idempotency_keys', { key_hash: 'x', event_id: event, ...reply })
  insert('idempotency_keys', { key_hash: 'y', ...reply })

  await limits.addRow(event, 'mark')
  await limits.addRow(event, 'other')
  for (const kind of ['mark', 'other'] as const) {
    expect((await catchAppErrorAsync(() => limits.addRow(event, kind)))?.code).toBe('STORAGE_FULL')
  }
  await limits.addRow(8, 'mark')
})

test('counts again after 10 seconds, with what other nodes have stored and operators have deleted', async () => {
  const { limits, addFeedback, clock, sqlite } = await limitsOf()
  for (let index = 0; index < 3; index++) await limits.addRow(event, 'mark')
  const addMark = () => limits.addRow(event, 'mark')
  expect((await catchAppErrorAsync(addMark))?.code).toBe('STORAGE_FULL')
  clock.advance(10_000)
  await addMark()
  for (const guest of ['a', 'b', 'c']) addFeedback('favorite', guest)
  clock.advance(10_000)
  expect((await catchAppErrorAsync(addMark))?.code).toBe('STORAGE_FULL')
  sqlite.exec('delete from feedback')
  clock.advance(10_000)
  await addMark()
})

test('a gallery with many photos has 20 marks for each', async () => {
  const { limits, insert } = await limitsOf()
  insert('event_photo_totals', { event_id: event, photo_count: 2, visible_count: 2, total_size: 1, list_version: 1 })
  for (let index = 0; index < 40; index++) await limits.addRow(event, 'mark')
  expect((await catchAppErrorAsync(() => limits.addRow(event, 'mark')))?.code).toBe('STORAGE_FULL')
})
