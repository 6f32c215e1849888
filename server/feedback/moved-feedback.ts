import type { Insertable } from 'kysely'
import type { Tx } from '../platform/database/tables.ts'
import { createCounters } from './marks/count-marks.ts'
import type { FeedbackTable } from './marks/feedback-rows.ts'
import { insertThread } from './threads/thread-rows.ts'

/** Returns the new id, or null if the guest has such a mark already. The calling function counts the marks. */
export async function insertMovedFeedback(
  tx: Tx,
  feedback: Omit<Insertable<FeedbackTable>, 'id'>,
): Promise<number | null> {
  const inserted = await tx
    .insertInto('feedback')
    .values(feedback)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) return null
  const { kind, event_id: eventId, guest_id: guestId, photo_id: photoId, created_at: now } = feedback
  if (kind === 'comment') {
    await insertThread(tx, { eventId, guestId, photoId, kind, feedbackId: inserted.id, text: null, now })
  }
  return inserted.id
}

const idsPerQuery = 500

export async function countMovedFeedback(tx: Tx, photoIds: readonly number[]): Promise<void> {
  for (let start = 0; start < photoIds.length; start += idsPerQuery) {
    const ids = photoIds.slice(start, start + idsPerQuery)
    await tx.deleteFrom('photo_marks').where('photo_id', 'in', ids).execute()
    await createCounters(tx, ids)
  }
}
