import { AppError } from '../platform/app-error.ts'
import type { Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { applyMarkDifference, loadGuestMarks, lockCounters, type StoredMark } from './count-marks.ts'
import { recordFeedbackChange } from './feedback-change-rows.ts'
import { recordLiveEvent } from './live-event-rows.ts'
import { type FeedbackRow, findFeedback, type MarkedPhoto } from './mark-rows.ts'
import { getFeedbackStatus } from './mark-rules.ts'

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
    const held = await lockCounters(tx, photo)
    const before = await loadGuestMarks(tx, photo.id, row.guest_id)
    const mark = before.find(({ id }) => id === feedbackId)
    if (!mark) throw new AppError('NOT_FOUND')
    if (getFeedbackStatus(mark) === did) return
    const changed = await applyChange(tx, mark, did, now)
    const after = before.flatMap((candidate) => (candidate !== mark ? candidate : (changed ?? [])))
    await applyMarkDifference(tx, photo.id, held, { before, after })

    const { kind, rating, color_label } = mark
    const data = { did, feedback_type: kind, rating, color_label, status: getFeedbackStatus(changed ?? mark) }
    const eventKeys = { event_id: eventId, photo_id: photo.id, feedback_id: feedbackId, guest_id: row.guest_id }
    await recordLiveEvent(tx, { type: 'feedback', ...eventKeys, data }, now)
    await recordFeedbackChange(tx, eventId, row.guest_id, now)
  })
  changes.notify('live', eventId)
}

async function applyChange(tx: Tx, mark: StoredMark, did: FeedbackChange, now: number): Promise<StoredMark | null> {
  if (did === 'deleted' || did === 'removed') {
    await tx.deleteFrom('feedback').where('id', '=', mark.id).execute()
    return null
  }
  const moderated = { is_visible: did === 'approved' ? 1 : 0, judged_at: now } as const
  await tx.updateTable('feedback').set(moderated).where('id', '=', mark.id).execute()
  return { ...mark, ...moderated }
}
