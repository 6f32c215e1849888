import type { Updateable } from 'kysely'
import { sharePath } from '../../contract/share-path.ts'
import type { WebhookEventType } from '../../contract/webhooks.ts'
import type { Tx } from '../platform/database/tables.ts'
import { isoTime, isoTimeOrNull } from '../platform/time/clock.ts'
import { announce } from '../webhooks/announce.ts'
import type { EventRow, EventTable } from './event-rows.ts'

type EventChange = Extract<WebhookEventType, `event.${string}`>

/** Returns the keys of `data.event` that every webhook message has. `origin` is the base of `share_url`. */
export const eventData = (row: EventRow, origin: string) => ({
  id: row.id,
  slug: row.slug,
  event_name: row.event_name,
  event_type: row.event_type,
  event_date: row.event_date,
  share_url: origin + sharePath(row),
  share_token: row.share_token,
  customer_name: row.customer_name,
  customer_email: row.customer_email,
  customer_phone: row.customer_phone,
})

const furtherKeys: Partial<Record<EventChange, (row: EventRow) => object>> = {
  'event.archived': (row) => ({ archived_at: isoTimeOrNull(row.archived_at) }),
  'event.expired': (row) => ({ expires_at: isoTime(row.expires_at) }),
  'event.created': (row) => ({ is_draft: row.is_draft === 1 }),
}

type Announcement = { type: EventChange; origin: string; now: number }

/** Also queues the webhook message. After the commit, the calling function must notify `event` and `delivery`. */
export async function updateAndAnnounce(
  tx: Tx,
  eventId: number,
  columns: Updateable<EventTable>,
  { type, origin, now }: Announcement,
): Promise<EventRow> {
  const changed = await tx
    .updateTable('events')
    .set({ ...columns, updated_at: now })
    .where('id', '=', eventId)
    .returningAll()
    .executeTakeFirstOrThrow()
  await announceEvent(tx, type, changed, origin, now)
  return changed
}

/** The same message as that of a new event, with `restored: true`. */
export const announceRestoredEvent = (tx: Tx, row: EventRow, origin: string, now: number): Promise<number> => {
  const event = { ...eventData(row, origin), ...furtherKeys['event.created']?.(row), restored: true }
  return announce(tx, 'event.created', { event }, now)
}

export const announceEvent = (tx: Tx, type: EventChange, row: EventRow, origin: string, now: number): Promise<number> =>
  announce(tx, type, { event: { ...eventData(row, origin), ...furtherKeys[type]?.(row) } }, now)
