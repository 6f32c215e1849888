import type { AccountCaller } from '../access/callers.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { changeFeedback, type FeedbackChange } from '../feedback/change-feedback.ts'
import { findFeedback } from '../feedback/mark-rows.ts'
import { getMarkablePhoto } from '../photos/markable-photo.ts'
import { AppError } from '../platform/app-error.ts'
import type { AppContext } from '../settings/app-context.ts'

/** Throws NOT_FOUND, EVENT_ARCHIVED, or FORBIDDEN if the caller is no owner of the event. */
export async function moderateFeedback(
  ctx: AppContext,
  caller: AccountCaller,
  feedbackId: number,
  did: Exclude<FeedbackChange, 'removed'>,
): Promise<void> {
  const found = await findFeedback(ctx.db, feedbackId)
  if (!found) throw new AppError('NOT_FOUND')
  const event = await getOwnedEvent(ctx, caller, found.event_id)
  await changeFeedback(ctx, { eventId: event.id, feedbackId }, did, (tx, row) =>
    getMarkablePhoto(tx, event.id, row.photo_id),
  )
}
