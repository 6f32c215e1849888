import { sql } from 'kysely'
import type { EventRow } from '../events/event-rows.ts'
import { getChangeableEvent } from '../events/get-changeable-event.ts'
import { AppError } from '../platform/app-error.ts'
import type { Tx } from '../platform/database/tables.ts'

/**
 * Counts a new photo in the totals of the event. Simultaneous uploads cannot exceed `photo_cap`. Throws
 * PHOTO_CAP_REACHED, EVENT_ARCHIVED or NOT_FOUND.
 */
export async function reserve(
  tx: Tx,
  eventId: number,
  { bytes, isVisible, now }: { bytes: number; isVisible: boolean; now: number },
): Promise<EventRow> {
  const visible = isVisible ? 1 : 0
  const event = await getChangeableEvent(tx, eventId)
  const updated = await tx
    .insertInto('event_photo_totals')
    .values({ event_id: eventId, photo_count: 1, visible_count: visible, total_size: bytes, list_version: now })
    .onConflict((conflict) =>
      conflict
        .column('event_id')
        .doUpdateSet(incrementTotals({ photos: 1, visible, bytes }))
        .where('event_photo_totals.photo_count', '<', event.photo_cap || Number.MAX_SAFE_INTEGER),
    )
    .returning('event_id')
    .execute()
  if (updated.length === 0) throw new AppError('PHOTO_CAP_REACHED')
  return event
}

type TotalsChange = { photos?: number; visible?: number; bytes?: number }

/** Must be called in each transaction that changes photos, also with an empty change: it increments `list_version`. */
export async function changeTotals(tx: Tx, eventId: number, change: TotalsChange): Promise<void> {
  await tx.updateTable('event_photo_totals').set(incrementTotals(change)).where('event_id', '=', eventId).execute()
}

const incrementTotals = ({ photos = 0, visible = 0, bytes = 0 }: TotalsChange) => ({
  photo_count: sql<number>`event_photo_totals.photo_count + ${photos}`,
  visible_count: sql<number>`event_photo_totals.visible_count + ${visible}`,
  total_size: sql<number>`event_photo_totals.total_size + ${bytes}`,
  list_version: sql<number>`event_photo_totals.list_version + 1`,
})
