import { expect, test } from 'vitest'
import { databaseWithPlans } from '../../../tests/support/database/query-plans.ts'
import type { AccountCaller } from '../../access/callers.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { listActs } from './list-acts.ts'

const hour = 3_600_000
const now = Math.floor(Date.UTC(2027, 4, 20) / hour) * hour
const caller = { user: { id: 1, role: 'super_admin' } } as AccountCaller

/** 10,000 likes: half of them by one guest in the current hour, the others spread over years. */
async function fill() {
  const { db, sqlite, queries, planSteps } = await databaseWithPlans()
  const add = sqlite.prepare(`insert into feedback
    (event_id, photo_id, guest_id, kind, is_visible, created_at, updated_at) values (1, ?, ?, 'like', 1, ?, ?)`)
  sqlite.transaction(() => {
    for (let index = 0; index < 10_000; index++) {
      const at = index % 2 ? now + index : now - index * 10 * 60_000
      add.run(index, index % 2 ? 'ana' : 'ben', at, at)
    }
  })()
  const ctx = { db, clock: { now: () => now + hour - 1 } } as PlatformContext
  return { ctx, queries, planSteps }
}

test('a page of acts among 10,000 takes few queries, each by an index on time', async () => {
  const { ctx, queries, planSteps } = await fill()
  const { acts, next } = await listActs(ctx, caller, { by: 'guests', limit: 10 })
  expect(acts.slice(0, 2)).toMatchObject([
    { act: 'like', guest: { id: 'ana' }, count: 5_000 },
    { act: 'like', guest: { id: 'ben' }, count: 1 },
  ])
  expect(acts.length).toBe(10)
  // One for the acts, one each for the names of events and guests.
  expect(queries.length).toBe(3)
  const reads = planSteps().filter(({ detail }) =>
    /^(SCAN|SEARCH) (feedback|photos|selections|threads|event_days)/.test(detail),
  )
  expect(reads.length).toBe(5)
  for (const { detail } of reads) expect(detail).toMatch(/^SEARCH \w+ USING (COVERING )?INDEX \w+_by_(time|view) /)
  const second = await listActs(ctx, caller, { by: 'guests', limit: 10, before: next as string })
  expect(second.acts.every(({ guest, count }) => guest?.id === 'ben' && count <= 6)).toBe(true)
})
