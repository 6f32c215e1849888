import { invalidField } from '../errors/app-error.ts'
import { type Clock, days } from './clock.ts'

/** The last time with a four-digit year. */
const maxTime = Date.parse('9999-12-31T23:59:59.999Z')

const datePattern = /^\d{4}-\d{2}-\d{2}$/
const timePattern = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/

/**
 * Returns the epoch milliseconds of a time that a client sent. A time without a zone is UTC; a date is the start of
 * that day in UTC. Throws VALIDATION_ERROR.
 */
export function parseInputTime(path: string, value: string): number {
  const parsed = isCalendarDate(value)
    ? startOfDay(value)
    : timePattern.test(value) && isCalendarDate(value.slice(0, 10))
      ? Date.parse(/(Z|[+-]\d{2}:?\d{2})$/.test(value.slice(16)) ? value : `${value}Z`)
      : Number.NaN
  if (Number.isNaN(parsed) || parsed > maxTime)
    throw invalidField(path, 'must be a date or an ISO-8601 time', 'not_a_time')
  return parsed
}

/** Like `parseInputTime`, for a time in the future; a date is the end of that day in UTC. Throws VALIDATION_ERROR. */
export function parseEndTime(path: string, value: string, clock: Clock): number {
  const time = isCalendarDate(value) ? startOfDay(value) + days(1) - 1 : parseInputTime(path, value)
  if (time <= clock.now()) throw invalidField(path, 'must be in the future')
  return time
}

export const isCalendarDate = (value: string): boolean =>
  datePattern.test(value) &&
  !Number.isNaN(startOfDay(value)) &&
  new Date(startOfDay(value)).toISOString().startsWith(value)

const startOfDay = (date: string): number => Date.parse(`${date}T00:00:00Z`)
