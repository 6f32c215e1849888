import { expect, test } from 'vitest'
import { databaseWithPlans } from '../../../tests/support/database/query-plans.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { type Claims, claimDeliveries, type DueWebhook } from './claim-deliveries.ts'

const { db, sqlite, planSteps } = await databaseWithPlans()

let now = 1_000_000
const clock = { now: () => now }
const config = { webhooks: { httpTimeoutMs: 10_000 } } as PlatformContext['config']

const claim = (share: Parameters<typeof claimDeliveries>[2]) =>
  db.transaction().execute((tx) => claimDeliveries({ clock, config }, tx, share))

for (const name of ['first', 'second', 'third']) {
  sqlite
    .prepare("insert into webhooks values (null, ?, '', '[]', 1, '{}', null, '', '', null, null, ?, 0, 0, null)")
    .run(name, name === 'second' ? 3 : 0)
}
const queue = sqlite.prepare(
  `insert into webhook_deliveries (webhook_id, event_type, envelope_id, envelope, status, next_attempt_at, created_at)
    values (?, 'photo.uploaded', '', '{}', 'pending', ?, 0)`,
)
queue.run(1, now - 5)
queue.run(2, now - 9)
for (let count = 0; count < 3; count++) queue.run(1, now)
queue.run(1, now + 500)

const ids = ({ deliveries }: Claims) => deliveries.map(({ id }) => id)

test('claims the requested number of deliveries per webhook, the longest due first, and never twice', async () => {
  let seen: readonly DueWebhook[] = []
  const claimed = await claim((due) => {
    seen = due
    return new Map([[1, 3]])
  })
  expect(seen).toEqual([
    { id: 2, dueAt: now - 9, hasFailed: true },
    { id: 1, dueAt: now - 5, hasFailed: false },
  ])
  expect(ids(claimed)).toEqual([1, 3, 4])
  expect(claimed.deliveries[0]).toMatchObject({ attempt_count: 1, next_attempt_at: now + 30_000 })
  const rest = new Map([
    [1, 9],
    [2, 9],
  ])
  expect(ids(await claim(() => rest))).toEqual([5, 2])
  const none = await claim((due) => {
    seen = due
    return new Map()
  })
  expect(seen).toEqual([])
  expect(none.nextDueAt).toBe(now + 500)
})

test('a claim lasts for the timeout of an attempt and 20 s', async () => {
  const all = () => new Map([[2, 1]])
  now += 29_999
  expect(ids(await claim(all))).toEqual([])
  now += 1
  const { deliveries } = await claim(all)
  expect(deliveries[0]).toMatchObject({ id: 2, attempt_count: 2, next_attempt_at: now + 30_000 })
})

test('the queries for due deliveries read no delivery that is not due', () => {
  const steps = planSteps().filter(({ sql }) => sql.includes('webhook_deliveries'))
  const ofDeliveries = steps.map(({ detail }) => detail).filter((detail) => detail.includes('webhook_deliveries'))
  expect(ofDeliveries.length).toBeGreaterThan(0)
  for (const step of ofDeliveries) {
    expect(step).toMatch(/USING (COVERING )?INDEX webhook_deliveries_due \(|USING INTEGER PRIMARY KEY \(rowid=\?\)$/)
  }
  expect(steps.map(({ detail }) => detail).filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([])
})
