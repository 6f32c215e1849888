import { type RoundState, sentStates } from '../../../contract/gallery/rounds.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { isCalendarDate } from '../../platform/time/input-times.ts'

export type RoundNumbers = { included: number; minimum: number; maximum: number | null; due_on: string | null }

export const isSent = ({ state }: { state: RoundState }): boolean =>
  (sentStates as readonly RoundState[]).includes(state)

export const countExtras = (count: number, { included }: Pick<RoundNumbers, 'included'>): number =>
  Math.max(0, count - included)

type Submission = { round: { state: RoundState; revision: number } & RoundNumbers; count: number; revision?: number }

/**
 * `revision`: that of the picks that the guest has seen; undefined to send them as they are now. Throws
 * SELECTION_LOCKED, SELECTION_CHANGED, SELECTION_TOO_SMALL and SELECTION_LIMIT_REACHED, in this order.
 */
export function assertSubmittable({ round, count, revision }: Submission): void {
  if (isSent(round)) throw new AppError('SELECTION_LOCKED')
  if (revision !== undefined && revision !== round.revision) throw new AppError('SELECTION_CHANGED')
  if (count < round.minimum) throw new AppError('SELECTION_TOO_SMALL')
  if (round.maximum !== null && count > round.maximum) throw new AppError('SELECTION_LIMIT_REACHED')
}

/** Throws VALIDATION_ERROR. */
export function assertNumbers({ minimum, maximum, due_on }: RoundNumbers): void {
  if (maximum !== null && minimum > maximum) throw invalidField('minimum', 'must not be more than maximum')
  if (due_on !== null && !isCalendarDate(due_on)) {
    throw invalidField('due_on', 'must be a date in the form YYYY-MM-DD', 'not_a_time')
  }
}

/** Throws VALIDATION_ERROR. */
export function assertTimeZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw invalidField('time_zone', 'must be a time zone, such as Europe/Berlin')
  }
}

/** The numbers of a round that is opened again. What is not sent stays; a lower maximum also lowers the minimum. */
export function changeNumbers(before: RoundNumbers, sent: Partial<RoundNumbers>): RoundNumbers {
  const maximum = sent.maximum === undefined ? before.maximum : sent.maximum
  return {
    included: sent.included ?? before.included,
    minimum: sent.minimum ?? Math.min(before.minimum, maximum ?? before.minimum),
    maximum,
    due_on: sent.due_on === undefined ? before.due_on : sent.due_on,
  }
}
