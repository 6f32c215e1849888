import { AppError } from '../platform/app-error.ts'
import type { Tx } from '../platform/database/tables.ts'
import { type EventRow, findEvent } from './event-rows.ts'
import { assertNotArchived } from './event-rules.ts'

/** Throws NOT_FOUND. */
export async function getEventInTransaction(tx: Tx, eventId: number): Promise<EventRow> {
  const event = await findEvent(tx, eventId)
  if (!event) throw new AppError('NOT_FOUND')
  return event
}

/** Throws NOT_FOUND or EVENT_ARCHIVED. */
export async function getChangeableEvent(tx: Tx, eventId: number): Promise<EventRow> {
  const event = await getEventInTransaction(tx, eventId)
  assertNotArchived(event)
  return event
}
