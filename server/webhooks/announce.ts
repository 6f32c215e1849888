import type { WebhookEventType } from '../../contract/webhooks.ts'
import type { Tx } from '../platform/database/tables.ts'
import { createEnvelope } from './envelopes.ts'
import { passesFilter } from './filter-rules.ts'
import { queueDeliveries } from './queue-delivery.ts'

/**
 * Written in the transaction of the change it tells of: a change that is rolled back is never announced, and no crash
 * loses what was committed. After the commit the operation tells `delivery`, so that it leaves at once.
 */
export const announce = (tx: Tx, type: WebhookEventType, data: object, now: number): Promise<void> =>
  announceEach(tx, type, [data], now)

/** Several changes of one kind, made by one transaction, in their order. */
export async function announceEach(
  tx: Tx,
  type: WebhookEventType,
  changes: readonly object[],
  now: number,
): Promise<void> {
  const subscribed = await tx
    .selectFrom('webhooks')
    .select(['id', 'template', 'filter'])
    .where('active', '=', 1)
    // The list is JSON of known names: a name between quotes is a member of it.
    .where('events', 'like', `%"${type}"%`)
    .orderBy('id')
    .execute()
  if (subscribed.length === 0) return
  const webhooks = subscribed.map(({ filter, ...webhook }) => ({ webhook, filter: JSON.parse(filter) as object }))
  const tellings = changes.flatMap((data) =>
    webhooks
      .map(({ webhook, filter }) => ({ webhook, filter, envelope: createEnvelope(type, data, now) }))
      .filter(({ filter, envelope }) => passesFilter(filter, envelope)),
  )
  await queueDeliveries(tx, tellings, { now })
}
