import type { CompiledQuery } from 'kysely'
import type { LiveOperation } from '../../contract/live.ts'
import { insertLiveEvent } from '../events/live/live-event-rows.ts'
import { runTogether } from '../platform/database/compile-once.ts'
import type { Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { upsertFeedbackChange } from './feedback-change-rows.ts'
import { loadGuestMarks, lockCounters, type StoredMark, updateCounters } from './marks/count-marks.ts'
import { type FeedbackRow, findFeedback, type MarkedPhoto } from './marks/feedback-rows.ts'
import { applyMarkChange, getFeedbackStatus } from './marks/mark-rules.ts'
import { getMarkedPhoto, type MarkGuard } from './marks/markable-photo.ts'
import { withdrawComment } from './threads/thread-rows.ts'

/** A guest causes `removed`, an operator the other values. */
export type FeedbackChange = 'approved' | 'hidden' | 'deleted' | 'removed'

/** `assertRow` throws if the caller may not change this feedback. Throws NOT_FOUND and the errors of the guard. */
export async function changeFeedback(
  { db, clock, changes }: PlatformContext,
  { eventId, feedbackId }: { eventId: number; feedbackId: number },
  did: FeedbackChange,
  guard: MarkGuard,
  assertRow: (row: FeedbackRow) => void = () => undefined,
): Promise<void> {
  const now = clock.now()
  await inTransaction(db, `event ${eventId}`, async (tx) => {
    const row = await findFeedback(tx, feedbackId)
    if (row?.event_id !== eventId) throw new AppError('NOT_FOUND')
    assertRow(row)
    const photo = await getMarkedPhoto(tx, guard, row.photo_id)
    const lockedCounts = await lockCounters(tx, photo)
    const before = await loadGuestMarks(tx, photo.id, row.guest_id)
    const mark = before.find(({ id }) => id === feedbackId)
    if (!mark) throw new AppError('NOT_FOUND')
    if (getFeedbackStatus(mark) === did) return
    if (mark.kind !== 'comment') {
      const picks = mark.kind === 'favorite' && did === 'deleted' ? -1 : 0
      await guard.assertChange(tx, photo, { guestId: row.guest_id, picks })
    }
    const changed = await applyChange(tx, mark, did, now)
    const after = before.flatMap((candidate) => (candidate !== mark ? candidate : (changed ?? [])))
    const afterCounts = applyMarkChange(lockedCounts, before, after)
    const counters = updateCounters(tx, photo.id, afterCounts, { counts: lockedCounts, now })
    await runTogether(tx, [counters, ...markChangeQueries(tx, photo, row.guest_id, changed ?? mark, did, now)])
  })
  changes.notify('live', eventId)
}

async function applyChange(tx: Tx, mark: StoredMark, did: FeedbackChange, now: number): Promise<StoredMark | null> {
  if (did === 'deleted' || did === 'removed') {
    await tx.deleteFrom('feedback').where('id', '=', mark.id).execute()
    if (mark.kind === 'comment') await withdrawComment(tx, mark.id)
    return null
  }
  const moderated = { is_visible: did === 'approved' ? 1 : 0, judged_at: now } as const
  await tx.updateTable('feedback').set(moderated).where('id', '=', mark.id).execute()
  return { ...mark, ...moderated }
}

/** Queries that record the change for the live streams, and for the webhooks, which receive it later. */
export function markChangeQueries(
  tx: Tx,
  { id: photo_id, event_id }: MarkedPhoto,
  guest_id: string,
  { id: feedback_id, ...mark }: StoredMark,
  did: LiveOperation,
  now: number,
): CompiledQuery[] {
  const { kind, rating, color_label } = mark
  const data = { did, feedback_type: kind, rating, color_label, status: getFeedbackStatus(mark) }
  return [
    insertLiveEvent(tx, { type: 'feedback', event_id, photo_id, feedback_id, guest_id, data }, now),
    upsertFeedbackChange(tx, event_id, guest_id, now),
  ]
}
