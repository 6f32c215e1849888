import { must } from '../../contract/must.ts'
import type { WebhookEventType } from '../../contract/webhooks.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { queueDelivery } from './delivery/queue-delivery.ts'
import { type Envelope, replayEnvelope, sampleEnvelope } from './envelopes.ts'
import { getDelivery } from './list-deliveries.ts'
import { subscribedEvents } from './webhook-records.ts'
import { getActiveWebhook } from './webhook-rows.ts'

/**
 * Queues a sample, by default of the first subscribed type. Subscriptions and filter do not matter. Throws NOT_FOUND or
 * WEBHOOK_INACTIVE.
 */
export async function testWebhook(ctx: PlatformContext, id: number, requestedType: WebhookEventType | null) {
  const { db, clock, changes } = ctx
  const queued = await inTransaction(db, 'work deliveries', async (tx) => {
    const webhook = await getActiveWebhook(tx, id)
    const eventType = requestedType ?? must(subscribedEvents(webhook)[0], 'a subscribed event type')
    const now = clock.now()
    const envelope: Envelope = { ...sampleEnvelope(eventType, now), test: true }
    return { eventType, deliveryId: await queueDelivery(tx, webhook, envelope, { now }) }
  })
  changes.notify('delivery', id)
  return queued
}

/**
 * Uses the current template, address and secret. Returns the id of the new delivery. Throws NOT_FOUND or
 * WEBHOOK_INACTIVE.
 */
export async function replayDelivery(
  { db, clock, changes }: PlatformContext,
  { webhookId, deliveryId }: { webhookId: number; deliveryId: number },
): Promise<number> {
  const replayId = await inTransaction(db, 'work deliveries', async (tx) => {
    const { envelope } = await getDelivery(tx, webhookId, deliveryId)
    const webhook = await getActiveWebhook(tx, webhookId)
    const envelopeCopy = replayEnvelope(envelope, deliveryId)
    return queueDelivery(tx, webhook, envelopeCopy, { replayedFrom: deliveryId, now: clock.now() })
  })
  changes.notify('delivery', webhookId)
  return replayId
}
