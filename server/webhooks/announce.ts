import type { CompiledQuery } from 'kysely'
import type { WebhookEventType } from '../../contract/webhooks.ts'
import { compileOnce } from '../platform/database/compile-once.ts'
import type { Tx } from '../platform/database/tables.ts'
import { queueDeliveries } from './delivery/queue-delivery.ts'
import { createEnvelope, eventIdOf } from './envelopes.ts'
import { passesFilter } from './filter-rules.ts'
import { findWebhooksOfOwners } from './token-webhooks.ts'
import type { WebhookRow } from './webhook-rows.ts'

/**
 * Queues a delivery for each active webhook that subscribes to the type and whose filter matches. Must run in the
 * transaction of the change; after the commit the calling function must notify `delivery`. Returns the number of deliveries.
 */
export const announce = (tx: Tx, type: WebhookEventType, data: object, now: number): Promise<number> =>
  announceEach(tx, type, [data], now)

export async function announceEach(
  tx: Tx,
  type: WebhookEventType,
  changes: readonly object[],
  now: number,
): Promise<number> {
  const { rows } = await tx.executeQuery(selectSubscribed(tx, type))
  return announceTo(tx, rows, type, changes, now)
}

/** Selects the active webhooks that subscribe to the type, for `announceTo`. */
export function selectSubscribed(tx: Tx, type: WebhookEventType): CompiledQuery<SubscribedWebhook> {
  // `events` is a JSON array of strings, so the type with its quotes matches only a whole entry.
  return compileOnce(tx, 'subscribed webhooks', { pattern: `%"${type}"%` }, ({ pattern }) =>
    tx
      .selectFrom('webhooks')
      .select(['id', 'template', 'filter', 'token_id'])
      .where('active', '=', 1)
      .where('events', 'like', pattern)
      .orderBy('id'),
  )
}

export type SubscribedWebhook = Pick<WebhookRow, 'id' | 'template' | 'filter' | 'token_id'>

/** Like `announceEach`. `subscribed`: the rows of `selectSubscribed` in this transaction. */
export async function announceTo(
  tx: Tx,
  subscribed: readonly SubscribedWebhook[],
  type: WebhookEventType,
  changes: readonly object[],
  now: number,
): Promise<number> {
  if (subscribed.length === 0) return 0
  const webhooks = subscribed.map(({ filter, ...webhook }) => ({ webhook, filter: JSON.parse(filter) as object }))
  const tokenIds = subscribed.filter(({ token_id }) => token_id !== null).map(({ id }) => id)
  const receivers = await findReceivers(tx, tokenIds, changes, now)
  const outgoing = changes.flatMap((data) =>
    webhooks
      .filter(({ webhook: { id, token_id } }) => token_id === null || receivers.get(eventIdOf(data))?.has(id))
      .map(({ webhook, filter }) => ({ webhook, filter, envelope: createEnvelope(type, data, now) }))
      .filter(({ filter, envelope }) => passesFilter(filter, envelope)),
  )
  await queueDeliveries(tx, outgoing, { now })
  return outgoing.length
}

/** A webhook of an API token gets only changes of events that the account of the token owns. */
async function findReceivers(
  tx: Tx,
  webhookIds: readonly number[],
  changes: readonly object[],
  now: number,
): Promise<Map<number, Set<number>>> {
  const receivers = new Map<number, Set<number>>()
  if (webhookIds.length === 0) return receivers
  for (const eventId of new Set(changes.map(eventIdOf))) {
    receivers.set(eventId, await findWebhooksOfOwners(tx, webhookIds, eventId, now))
  }
  return receivers
}
