import { expect, test } from 'vitest'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import { minutes } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { countOverdue } from './delivery-gauges.ts'

const now = Date.UTC(2026, 10, 21)

/** Adds a webhook with `failures` failures in a row and one delivery per due time. null adds a completed delivery. */
async function deliveriesDue({ db }: AppContext, failures: number, times: Array<number | null>): Promise<void> {
  const names = { name: 'Test', url: 'https://receiver.invalid/', secret: '', secret_preview: '' }
  const changed = { created_at: now, updated_at: now }
  const { id } = await db
    .insertInto('webhooks')
    .values({ ...names, events: '[]', filter: '{}', active: 1, consecutive_failures: failures, ...changed })
    .returning('id')
    .executeTakeFirstOrThrow()
  const envelope = { event_type: 'photo.uploaded' as const, envelope_id: 'an id', envelope: '{}' }
  const rows = times.map((time) => {
    const status = time === null ? ('success' as const) : ('pending' as const)
    return { ...envelope, webhook_id: id, status, attempt_count: 0, next_attempt_at: time, created_at: now }
  })
  await db.insertInto('webhook_deliveries').values(rows).execute()
}

test('counts deliveries that have been due for more than 5 minutes', async () => {
  const ctx = await contextForTest()
  await deliveriesDue(ctx, 0, [null, now + 1, now, now - minutes(5), now - minutes(5) - 1, now - minutes(60)])
  expect(await countOverdue(ctx.db, now)).toBe(2)
})

test('does not count deliveries to a failing receiver', async () => {
  const ctx = await contextForTest()
  await deliveriesDue(ctx, 1, [now - minutes(60), now - minutes(6)])
  expect(await countOverdue(ctx.db, now)).toBe(0)
  await deliveriesDue(ctx, 0, [now - minutes(6)])
  expect(await countOverdue(ctx.db, now)).toBe(1)
})
