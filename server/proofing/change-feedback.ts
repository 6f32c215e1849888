import { AppError } from '../platform/app-error.ts'
import type { Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { holdCounters, type KeptMark, marksOf, moveCounters } from './count-marks.ts'
import { noteFeedbackChange } from './feedback-change-rows.ts'
import { noteLiveEvent } from './live-event-rows.ts'
import { type FeedbackRow, findFeedback, type MarkedPhoto } from './mark-rows.ts'
import { statusOf } from './mark-rules.ts'

/** Guests remove feedback; operators set the other values. */
export type FeedbackChange = 'approved' | 'hidden' | 'deleted' | 'removed'

/** `getPhoto` checks the photo in the transaction. Throws NOT_FOUND. */
export async function changeFeedback(
  { db, clock, changes }: PlatformContext,
  { eventId, feedbackId }: { eventId: number; feedbackId: number },
  did: FeedbackChange,
  getPhoto: (tx: Tx, row: FeedbackRow) => Promise<MarkedPhoto>,
): Promise<void> {
  const now = clock.now()
  await inTransaction(db, `event ${eventId}`, async (tx) => {
    const row = await findFeedback(tx, feedbackId)
    if (row?.event_id !== eventId) throw new AppError('NOT_FOUND')
    const photo = await getPhoto(tx, row)
    const held = await holdCounters(tx, photo)
    const before = await marksOf(tx, photo.id, row.guest_id)
    const mark = before.find(({ id }) => id === feedbackId)
    if (!mark) throw new AppError('NOT_FOUND')
    if (statusOf(mark) === did) return
    const changed = await change(tx, mark, did, now)
    const after = before.flatMap((one) => (one !== mark ? one : (changed ?? [])))
    await moveCounters(tx, photo.id, held, { before, after })

    const { kind, rating, color_label } = mark
    const data = { did, feedback_type: kind, rating, color_label, status: statusOf(changed ?? mark) }
    const place = { event_id: eventId, photo_id: photo.id, feedback_id: feedbackId, guest_id: row.guest_id }
    await noteLiveEvent(tx, { type: 'feedback', ...place, data }, now)
    await noteFeedbackChange(tx, eventId, row.guest_id, now)
  })
  changes.tell('live', eventId)
}

async function change(tx: Tx, mark: KeptMark, did: FeedbackChange, now: number): Promise<KeptMark | null> {
  if (did === 'deleted' || did === 'removed') {
    await tx.deleteFrom('feedback').where('id', '=', mark.id).execute()
    return null
  }
  const moderated = { is_visible: did === 'approved' ? 1 : 0, judged_at: now } as const
  await tx.updateTable('feedback').set(moderated).where('id', '=', mark.id).execute()
  return { ...mark, ...moderated }
}
