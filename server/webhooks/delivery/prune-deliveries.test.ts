import type { Insertable } from 'kysely'
import { expect, test } from 'vitest'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import { days } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import type { DeliveryRow } from '../delivery-rows.ts'
import type { WebhookTable } from '../webhook-rows.ts'
import { pruneDeliveries } from './prune-deliveries.ts'

const now = Date.UTC(2026, 10, 21)
const clock = { now: () => now }

async function webhookIn({ db }: AppContext): Promise<number> {
  const names = { name: 'Test', url: 'https://receiver.invalid/', secret: '', secret_preview: '' }
  const changed = { consecutive_failures: 0, created_at: now, updated_at: now }
  const row: Insertable<WebhookTable> = { ...names, ...changed, events: '[]', filter: '{}', active: 1 }
  const { id } = await db.insertInto('webhooks').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

type Given = Partial<Pick<DeliveryRow, 'status' | 'created_at'>>

async function deliveriesIn({ db }: AppContext, webhookId: number, given: Given[]): Promise<void> {
  const envelope = { event_type: 'photo.uploaded' as const, envelope_id: 'an id', envelope: '{}' }
  const rows = given.map(({ status = 'success', created_at = now }) => {
    const next_attempt_at = status === 'pending' ? created_at : null
    return { ...envelope, webhook_id: webhookId, status, attempt_count: 0, next_attempt_at, created_at }
  })
  for (let start = 0; start < rows.length; start += 500) {
    await db
      .insertInto('webhook_deliveries')
      .values(rows.slice(start, start + 500))
      .execute()
  }
}

const listRemaining = ({ db }: AppContext) => db.selectFrom('webhook_deliveries').selectAll().orderBy('id').execute()

test('deletes deliveries older than webhook_delivery_keep_days, but no pending ones', async () => {
  const ctx = await contextForTest({ edges: { clock } })
  await ctx.settings.change({ webhook_delivery_keep_days: 3 })
  await deliveriesIn(ctx, await webhookIn(ctx), [
    { created_at: now - days(3) - 1 },
    { created_at: now - days(3) - 1, status: 'failed' },
    { created_at: now - days(3) - 1, status: 'pending' },
    { created_at: now - days(3) },
    {},
  ])
  await pruneDeliveries(ctx)
  expect((await listRemaining(ctx)).map(({ id }) => id)).toEqual([3, 4, 5])
})

test('keeps the newest webhook_delivery_keep_count deliveries of each webhook, and all pending ones', async () => {
  const ctx = await contextForTest({ edges: { clock } })
  await ctx.settings.change({ webhook_delivery_keep_count: 100 })
  const [busy, quiet] = [await webhookIn(ctx), await webhookIn(ctx)]
  await deliveriesIn(ctx, quiet, [{}])
  // So many rows need more than one delete statement.
  await deliveriesIn(ctx, busy, [{ status: 'pending' }, ...Array.from({ length: 2300 }, () => ({}))])
  await deliveriesIn(ctx, quiet, [{}])
  await pruneDeliveries(ctx)
  const rows = await listRemaining(ctx)
  expect(rows.filter(({ webhook_id }) => webhook_id === quiet)).toHaveLength(2)
  const ofBusy = rows.filter(({ webhook_id }) => webhook_id === busy).map(({ id }) => id)
  expect(ofBusy).toEqual([2, ...Array.from({ length: 100 }, (_, index) => 2203 + index)])
})
