import { inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { queueDelivery } from './delivery/queue-delivery.ts'
import { replayEnvelope } from './envelopes.ts'
import { getDelivery } from './list-deliveries.ts'
import { getActiveWebhook } from './list-webhooks.ts'

/** Uses the current template, address and secret. Returns the new id. Throws NOT_FOUND or WEBHOOK_INACTIVE. */
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
