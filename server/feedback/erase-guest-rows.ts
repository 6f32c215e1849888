import type { Tx } from '../platform/database/tables.ts'
import { recountMarks } from './count-marks.ts'
import { recordFeedbackChange } from './feedback-change-rows.ts'
import { addCounts, countFeedback, type FeedbackCounts, noCounts } from './feedback-counts.ts'
import { recordLiveEvent } from './live-event-rows.ts'
import { getOrCreateGuest } from './merge-guests.ts'
import { eraseTrashedFeedback } from './trashed-marks.ts'

const photosPerBatch = 200

/** Their rows have no value without the guest. A table of this kind has the columns `event_id` and `guest_id`. */
const tablesOfGuests = ['feedback_changes', 'guest_links', 'live_events'] as const

export type ErasedRows = {
  /** The guest and all guests that were merged into it. */
  guestIds: string[]
  selectionIds: number[]
  noteIds: number[]
  /** Includes feedback to photos in the trash. */
  counts: FeedbackCounts
  links: number
}

type GuestOfEvent = { eventId: number; guestId: string; now: number }

/**
 * Deletes the feedback, notes, links and live events of a guest and of all guests merged into it, and makes their selections
 * anonymous. Their rows stay without name and address, so that their sessions do not continue. Throws NOT_FOUND for an
 * unknown, merged or erased guest.
 */
export async function eraseGuestRows(tx: Tx, { eventId, guestId, now }: GuestOfEvent): Promise<ErasedRows> {
  await getOrCreateGuest(tx, eventId, guestId, now)
  const merged = await tx.selectFrom('guests').select('id').where('merged_into', '=', guestId).execute()
  const guestIds = [guestId, ...merged.map(({ id }) => id)]
  const counts = (await countFeedback(tx, eventId, [guestId])).get(guestId) ?? noCounts
  const links = await tx
    .selectFrom('guest_links')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('guest_id', 'in', guestIds)
    .executeTakeFirstOrThrow()

  await deleteFeedback(tx, eventId, guestIds)
  const trashed = await eraseTrashedFeedback(tx, eventId, guestIds)
  const selections = await tx
    .updateTable('selections')
    .set({ guest_id: null, note: null })
    .where('event_id', '=', eventId)
    .where('guest_id', 'in', guestIds)
    .returning('id')
    .execute()
  const notes = await tx
    .deleteFrom('guest_notes')
    .where('event_id', '=', eventId)
    .where('guest_id', 'in', guestIds)
    .returning('id')
    .execute()
  for (const table of tablesOfGuests) {
    await tx.deleteFrom(table).where('event_id', '=', eventId).where('guest_id', 'in', guestIds).execute()
  }
  await tx
    .updateTable('guests')
    .set({ name: null, email: null, merged_into: null, created_at: now, updated_at: now, erased_at: now })
    .where('id', 'in', guestIds)
    .execute()

  await recordLiveEvent(tx, { event_id: eventId, type: 'guest', data: { did: 'erased' } }, now)
  // Receivers get the id of the guest with counts of 0, so that they can erase the guest too.
  if (Object.values(counts).some((count) => count > 0)) await recordFeedbackChange(tx, eventId, guestId, now)
  const [selectionIds, noteIds] = [selections, notes].map((rows) => rows.map(({ id }) => id)) as [number[], number[]]
  return { guestIds, selectionIds, noteIds, counts: addCounts(counts, trashed), links: Number(links.count) }
}

/** Deletes batches until nothing is left. */
async function deleteFeedback(tx: Tx, eventId: number, guestIds: string[]): Promise<void> {
  for (;;) {
    const photos = await tx
      .selectFrom('feedback')
      .select('photo_id')
      .distinct()
      .where('event_id', '=', eventId)
      .where('guest_id', 'in', guestIds)
      .orderBy('photo_id')
      .limit(photosPerBatch)
      .execute()
    if (photos.length === 0) return
    const photoIds = photos.map(({ photo_id }) => photo_id)
    // Locks the counters, so that no guest marks these photos at the same time.
    await tx.updateTable('photo_marks').set({ event_id: eventId }).where('photo_id', 'in', photoIds).execute()
    await tx.deleteFrom('feedback').where('photo_id', 'in', photoIds).where('guest_id', 'in', guestIds).execute()
    for (const photoId of photoIds) await recountMarks(tx, photoId)
  }
}
