import type { Tx } from '../platform/database/tables.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { type EventRow, findEvent } from './event-rows.ts'
import { assertNotArchived } from './event-rules.ts'

/** Throws NOT_FOUND. */
export const getEventInTransaction = async (tx: Tx, eventId: number): Promise<EventRow> =>
  assertPresent(await findEvent(tx, eventId))

/** Throws NOT_FOUND or EVENT_ARCHIVED. */
export const getChangeableEvent = async (tx: Tx, eventId: number): Promise<EventRow> =>
  assertChangeable(await findEvent(tx, eventId))

/** Returns the row that was found. Throws NOT_FOUND or EVENT_ARCHIVED. */
export function assertChangeable(found: EventRow | undefined): EventRow {
  const event = assertPresent(found)
  assertNotArchived(event)
  return event
}

function assertPresent(event: EventRow | undefined): EventRow {
  if (!event) throw new AppError('NOT_FOUND')
  return event
}
