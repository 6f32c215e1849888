import type { AccountCaller } from '../access/callers.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { Refusal } from '../platform/refusal.ts'
import { changeFeedback, type FeedbackChange } from '../proofing/change-feedback.ts'
import { findFeedback } from '../proofing/mark-rows.ts'
import type { House } from '../settings/house.ts'
import { getMarkable } from './markable-photo.ts'

/**
 * An operator approves, hides or deletes feedback of an own event. Throws NOT_FOUND, FORBIDDEN for an event of another
 * owner, EVENT_ARCHIVED.
 */
export async function moderateFeedback(
  house: House,
  caller: AccountCaller,
  feedbackId: number,
  did: Exclude<FeedbackChange, 'removed'>,
): Promise<void> {
  const found = await findFeedback(house.db, feedbackId)
  if (!found) throw new Refusal('NOT_FOUND')
  const event = await getOwnedEvent(house, caller, found.event_id)
  await changeFeedback(house, { eventId: event.id, feedbackId }, did, (tx, row) =>
    getMarkable(tx, event.id, row.photo_id),
  )
}
