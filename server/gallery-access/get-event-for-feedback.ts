import { type EventRow, findEvent } from '../events/event-rows.ts'
import type { Tx } from '../platform/database/tables.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { assertGalleryState, isBeforeReveal } from './viewing-rules.ts'

/**
 * Checks again in the transaction, because the gallery may have closed since the request began. Throws NOT_FOUND (also
 * before the reveal) and GALLERY_EXPIRED.
 */
export async function getOpenEvent(tx: Tx, eventId: number, now: number): Promise<EventRow> {
  const event = await findEvent(tx, eventId)
  if (!event) throw new AppError('NOT_FOUND')
  assertGalleryState(event, false, now)
  if (isBeforeReveal(event, now)) throw new AppError('NOT_FOUND')
  return event
}

/** Throws the errors of `getOpenEvent`, and FEEDBACK_DISABLED. */
export async function getEventForFeedback(tx: Tx, eventId: number, now: number): Promise<EventRow> {
  const event = await getOpenEvent(tx, eventId, now)
  if (event.feedback_enabled === 0) throw new AppError('FEEDBACK_DISABLED')
  return event
}
