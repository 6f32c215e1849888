import type { WebhookEventType } from '../../contract/webhooks.ts'
import type { Tx } from '../platform/database/tables.ts'
import { queueDeliveries } from './delivery/queue-delivery.ts'
import { createEnvelope } from './envelopes.ts'
import { passesFilter } from './filter-rules.ts'

/**
 * Queues a delivery for each active webhook that subscribes to the type and whose filter matches. Must run in the
 * transaction of the change; after the commit the calling function must notify `delivery`.
 */
export const announce = (tx: Tx, type: WebhookEventType, data: object, now: number): Promise<void> =>
  announceEach(tx, type, [data], now)

export async function announceEach(tx: Tx, type: WebhookEventType, changes: readonly object[], now: number) {
  const subscribed = await tx
    .selectFrom('webhooks')
    .select(['id', 'template', 'filter'])
    .where('active', '=', 1)
    // `events` is a JSON array of strings, so the type with its quotes matches only a whole entry.
    .where('events', 'like', `%"${type}"%`)
    .orderBy('id')
    .execute()
  if (subscribed.length === 0) return
  const webhooks = subscribed.map(({ filter, ...webhook }) => ({ webhook, filter: JSON.parse(filter) as object }))
  const outgoing = changes.flatMap((data) =>
    webhooks
      .map(({ webhook, filter }) => ({ webhook, filter, envelope: createEnvelope(type, data, now) }))
      .filter(({ filter, envelope }) => passesFilter(filter, envelope)),
  )
  await queueDeliveries(tx, outgoing, { now })
}
