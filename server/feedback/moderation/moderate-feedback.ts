import type { AccountCaller } from '../../access/callers.ts'
import { getOwnedEvent } from '../../events/event-ownership.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { changeFeedback, type FeedbackChange } from '../change-feedback.ts'
import { findFeedback } from '../marks/feedback-rows.ts'
import { createMarkGuard } from '../marks/markable-photo.ts'

/** `commentsOf`: only comments of this event are found. */
type FeedbackToModerate = { id: number; commentsOf?: number | undefined }

/** Throws NOT_FOUND, EVENT_ARCHIVED, or FORBIDDEN if the caller is not an owner of the event. */
export async function moderateFeedback(
  ctx: AppContext,
  caller: AccountCaller,
  { id: feedbackId, commentsOf }: FeedbackToModerate,
  did: Exclude<FeedbackChange, 'removed'>,
): Promise<void> {
  if (commentsOf !== undefined) await getOwnedEvent(ctx, caller, commentsOf)
  const found = await findFeedback(ctx.db, feedbackId)
  const isOther = commentsOf !== undefined && (found?.event_id !== commentsOf || found.kind !== 'comment')
  if (!found || isOther) throw new AppError('NOT_FOUND')
  const event = await getOwnedEvent(ctx, caller, found.event_id)
  await changeFeedback(ctx, { eventId: event.id, feedbackId }, did, createMarkGuard(ctx, event.id))
}
