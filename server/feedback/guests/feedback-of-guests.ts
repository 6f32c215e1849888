import type { Tx } from '../../platform/database/tables.ts'
import type { GuestBelongings, GuestErasure, GuestMerge } from '../../settings/belongings.ts'
import { deleteFeedbackChange, recordFeedbackChange } from '../feedback-change-rows.ts'
import { recountMarks } from '../marks/count-marks.ts'
import { addCounts, countFeedback, noCounts } from '../marks/feedback-counts.ts'
import type { FeedbackTable } from '../marks/feedback-rows.ts'
import { eraseTrashedFeedback } from '../marks/trashed-marks.ts'

const photosPerBatch = 200

type FeedbackTables = 'feedback' | 'trashed_feedback'

/** If both guests have given a photo the same kind of feedback, the newer one stays; all comments stay. */
export const feedbackOfGuests: GuestBelongings = {
  tables: ['feedback', 'trashed_feedback', 'feedback_changes'],
  largeTables: ['feedback', 'trashed_feedback'],

  async hasRows(tx, eventId, guestId) {
    for (const table of ['feedback', 'trashed_feedback'] as const) {
      const rows = tx.selectFrom(table).select('id').where('event_id', '=', eventId).where('guest_id', '=', guestId)
      if (await rows.limit(1).executeTakeFirst()) return true
    }
    return false
  },

  async merge(tx, merge, now) {
    await moveFeedback(tx, 'trashed_feedback', merge)
    if (await moveFeedback(tx, 'feedback', merge)) await recordFeedbackChange(tx, merge.eventId, merge.into, now)
    // Webhooks receive the moved feedback as a change of `into`, because `from` no longer exists for them.
    await deleteFeedbackChange(tx, merge.eventId, merge.from)
  },

  async erase(tx, erasure) {
    const { eventId, guestIds, now } = erasure
    const [guestId] = guestIds
    const given = (await countFeedback(tx, eventId, [guestId])).get(guestId) ?? noCounts
    await deleteFeedback(tx, erasure)
    const counts = addCounts(given, await eraseTrashedFeedback(tx, eventId, guestIds))
    for (const id of guestIds) await deleteFeedbackChange(tx, eventId, id)
    // Receivers get the id of the guest with counts of 0, so that they can erase the guest too.
    if (Object.values(given).some((count) => count > 0)) await recordFeedbackChange(tx, eventId, guestId, now)
    return {
      counts: {
        ratings: counts.rating,
        color_labels: counts.color_label,
        likes: counts.like,
        favorites: counts.favorite,
        comments: counts.comment,
      },
    }
  },
}

/** Moves batches until nothing is left. Returns false if there was nothing to move. */
async function moveFeedback(tx: Tx, table: FeedbackTables, merge: GuestMerge): Promise<boolean> {
  for (let isMoved = false; ; isMoved = true) {
    const photos = await tx
      .selectFrom(table)
      .select('photo_id')
      .distinct()
      .where('event_id', '=', merge.eventId)
      .where('guest_id', '=', merge.from)
      .orderBy('photo_id')
      .limit(photosPerBatch)
      .execute()
    if (photos.length === 0) return isMoved
    const photoIds = photos.map(({ photo_id }) => photo_id)
    await moveFeedbackOfPhotos(tx, table, merge, photoIds)
  }
}

async function moveFeedbackOfPhotos(
  tx: Tx,
  table: FeedbackTables,
  { eventId, from, into }: GuestMerge,
  photoIds: number[],
): Promise<void> {
  // Locks the counters, so that no guest marks these photos at the same time.
  await tx.updateTable('photo_marks').set({ event_id: eventId }).where('photo_id', 'in', photoIds).execute()
  const mergedMarks = await tx
    .selectFrom(table)
    .select(['id', 'photo_id', 'guest_id', 'kind', 'updated_at'])
    .where('photo_id', 'in', photoIds)
    .where('guest_id', 'in', [from, into])
    .execute()
  const replaced = findReplacedIds(mergedMarks, into)
  if (replaced.length > 0) await tx.deleteFrom(table).where('id', 'in', replaced).execute()
  await tx
    .updateTable(table)
    .set({ guest_id: into })
    .where('photo_id', 'in', photoIds)
    .where('guest_id', '=', from)
    .execute()
  // Photos in the trash have no counters.
  if (table === 'trashed_feedback') return
  // The counters of a photo change only if both guests have given it feedback.
  const marksOfBoth = mergedMarks.filter(({ guest_id }) => guest_id === into)
  for (const photoId of new Set(marksOfBoth.map(({ photo_id }) => photo_id))) await recountMarks(tx, photoId)
}

type MergedMark = Pick<FeedbackTable, 'photo_id' | 'guest_id' | 'kind' | 'updated_at'> & { id: number }

/** Returns the ids of the older marks, to be deleted. At equal times, the mark of the guest who stays is preferred. */
function findReplacedIds(mergedMarks: MergedMark[], into: string): number[] {
  const newestByKey = new Map<string, MergedMark>()
  const replaced: number[] = []
  for (const mark of mergedMarks.filter(({ kind }) => kind !== 'comment')) {
    const key = `${mark.photo_id} ${mark.kind}`
    const other = newestByKey.get(key)
    const isNewer = other && (mark.updated_at - other.updated_at || (mark.guest_id === into ? 1 : -1)) > 0
    if (other) replaced.push(isNewer ? other.id : mark.id)
    if (!other || isNewer) newestByKey.set(key, mark)
  }
  return replaced
}

/** Deletes batches until nothing is left. */
async function deleteFeedback(tx: Tx, { eventId, guestIds }: GuestErasure): Promise<void> {
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
