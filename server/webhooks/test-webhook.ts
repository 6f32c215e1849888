import type { WebhookEventType } from '../../contract/webhooks.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { queueDelivery } from './delivery/queue-delivery.ts'
import { type Envelope, sampleEnvelope } from './envelopes.ts'
import { getActiveWebhook } from './list-webhooks.ts'
import { subscribedEvents } from './webhook-records.ts'

type QueuedTest = { eventType: WebhookEventType; deliveryId: number }

/** By default the first subscribed type; ignores subscriptions and filter. Throws NOT_FOUND or WEBHOOK_INACTIVE. */
export async function testWebhook(
  { db, clock, changes }: PlatformContext,
  id: number,
  requestedType: WebhookEventType | null,
): Promise<QueuedTest> {
  const queued = await inTransaction(db, 'work deliveries', async (tx) => {
    const webhook = await getActiveWebhook(tx, id)
    const eventType = requestedType ?? (subscribedEvents(webhook)[0] as WebhookEventType)
    const now = clock.now()
    const envelope: Envelope = { ...sampleEnvelope(eventType, now), test: true }
    return { eventType, deliveryId: await queueDelivery(tx, webhook, envelope, { now }) }
  })
  changes.notify('delivery', id)
  return queued
}
