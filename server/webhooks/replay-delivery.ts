import { inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { replayEnvelope } from './envelopes.ts'
import { getDelivery } from './list-deliveries.ts'
import { getActiveWebhook } from './list-webhooks.ts'
import { queueDelivery } from './queue-delivery.ts'

/**
 * Tells again what a delivery told or was to tell, whatever became of it: the stored envelope under a new id, with
 * today's template, address and secret. The original stays as it is. Answers the id of the new one.
 * Throws NOT_FOUND and WEBHOOK_INACTIVE.
 */
export async function replayDelivery(
  { db, clock, changes }: PlatformContext,
  { webhookId, deliveryId }: { webhookId: number; deliveryId: number },
): Promise<number> {
  const replayId = await inTransaction(db, 'work deliveries', async (tx) => {
    const { envelope } = await getDelivery(tx, webhookId, deliveryId)
    const webhook = await getActiveWebhook(tx, webhookId)
    const again = replayEnvelope(envelope, deliveryId)
    return queueDelivery(tx, webhook, again, { replayedFrom: deliveryId, now: clock.now() })
  })
  changes.tell('delivery', webhookId)
  return replayId
}
