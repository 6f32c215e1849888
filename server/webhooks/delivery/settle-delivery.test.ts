import type { Insertable } from 'kysely'
import { expect, test } from 'vitest'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import type { AppContext } from '../../settings/app-context.ts'
import type { DeliveryRow } from '../delivery-rows.ts'
import type { WebhookTable } from '../webhook-rows.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import type { Attempt } from './deliver.ts'
import type { Outcome } from './delivery-schedule.ts'
import { settleDeliveries } from './settle-delivery.ts'

const success: Outcome = {
  result: 'answered',
  response: { status: 200, retryAfterMs: null, body: 'Thanks', latencyMs: 3.4 },
}
const failure: Outcome = { result: 'unanswered', reason: 'No answer in time.', latencyMs: 10_000 }
const headers = { 'webhook-id': 'an id' }

let now = Date.UTC(2026, 10, 21)
const clock = { now: () => now }

const claim = (ctx: AppContext, shares: Map<number, number>) =>
  ctx.db.transaction().execute(async (tx) => (await claimDeliveries(ctx, tx, () => shares)).deliveries)
const settle = (ctx: AppContext, attempts: Attempt[]) =>
  ctx.db.transaction().execute((tx) => settleDeliveries(ctx, tx, attempts, async () => undefined))

/** Adds a webhook with `count` deliveries that this process has claimed. */
async function claimedIn(ctx: AppContext, count: number): Promise<DeliveryRow[]> {
  const names = { name: 'Test', url: 'https://receiver.invalid/', secret: '', secret_preview: '' }
  const changed = { consecutive_failures: 2, created_at: now, updated_at: now }
  const webhook: Insertable<WebhookTable> = { ...names, ...changed, events: '[]', filter: '{}', active: 1 }
  const { id } = await ctx.db.insertInto('webhooks').values(webhook).returning('id').executeTakeFirstOrThrow()
  const envelope = { event_type: 'photo.uploaded' as const, envelope_id: 'an id', envelope: '{}' }
  const pending = { status: 'pending' as const, attempt_count: 0, next_attempt_at: now, created_at: now }
  const rows = Array.from({ length: count }, () => ({ ...envelope, ...pending, webhook_id: id }))
  await ctx.db.insertInto('webhook_deliveries').values(rows).execute()
  return claim(ctx, new Map([[id, count]]))
}

const rowsOf = ({ db }: AppContext) => db.selectFrom('webhook_deliveries').selectAll().orderBy('id').execute()
const newestWebhook = ({ db }: AppContext) =>
  db.selectFrom('webhooks').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()

test('stores an outcome only while this process holds the claim', async () => {
  const ctx = await contextForTest({ edges: { clock } })
  const [delivery] = await claimedIn(ctx, 1)
  if (!delivery) throw new Error('Nothing was claimed')
  now += 60_000
  const others = await claim(ctx, new Map([[delivery.webhook_id, 1]]))
  expect(others.map(({ attempt_count }) => attempt_count)).toEqual([2])
  await settle(ctx, [{ delivery, outcome: success, headers }])
  expect(await rowsOf(ctx)).toEqual(others)
  await settle(ctx, [{ delivery: others[0] as DeliveryRow, outcome: success, headers }])
  const [settled] = await rowsOf(ctx)
  expect(settled).toMatchObject({ status: 'success', response_body: 'Thanks', latency_ms: 3, completed_at: now })
  // A settled delivery does not change again.
  await settle(ctx, [{ delivery: others[0] as DeliveryRow, outcome: failure, headers }])
  expect(await rowsOf(ctx)).toEqual([settled])
})

test('records on the webhook the last success, the last failure and the failures in a row', async () => {
  const ctx = await contextForTest({ edges: { clock } })
  const putBack: Outcome = { result: 'put-back' }
  const inactive: Outcome = { result: 'inactive', reason: 'Not active.' }
  const table: Array<[Outcome[], consecutive_failures: number, hasSuccess: boolean, hasFailure: boolean]> = [
    [[failure], 3, false, true],
    [[failure, failure], 4, false, true],
    [[success], 0, true, false],
    [[failure, success], 0, true, true],
    [[success, failure], 1, true, true],
    [[putBack, inactive], 2, false, false],
  ]
  for (const [outcomes, consecutive_failures, hasSuccess, hasFailure] of table) {
    const claimed = await claimedIn(ctx, outcomes.length)
    const attempts = claimed.map((delivery, index) => ({ delivery, outcome: outcomes[index] as Outcome, headers }))
    await settle(ctx, attempts)
    expect(await newestWebhook(ctx)).toMatchObject({
      consecutive_failures,
      last_success_at: hasSuccess ? now : null,
      last_failure_at: hasFailure ? now : null,
    })
  }
})
