import { invalidField } from './app-error.ts'
import { type Clock, days } from './clock.ts'

/** What is written with four digits of a year. */
const latest = Date.parse('9999-12-31T23:59:59.999Z')

const datePattern = /^\d{4}-\d{2}-\d{2}$/
const timePattern = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/

/** A point in time given by a client: without a zone it is UTC, a bare date means the start of that day. */
export function inputTime(path: string, value: string): number {
  const parsed = isCalendarDate(value)
    ? startOfDay(value)
    : timePattern.test(value) && isCalendarDate(value.slice(0, 10))
      ? Date.parse(/(Z|[+-]\d{2}:?\d{2})$/.test(value.slice(16)) ? value : `${value}Z`)
      : Number.NaN
  if (Number.isNaN(parsed) || parsed > latest)
    throw invalidField(path, 'must be a date or an ISO-8601 time', 'not_a_time')
  return parsed
}

/** When something ends: a bare date means the end of that day. */
export function endTime(path: string, value: string, clock: Clock): number {
  const time = isCalendarDate(value) ? startOfDay(value) + days(1) - 1 : inputTime(path, value)
  if (time <= clock.now()) throw invalidField(path, 'must lie in the future')
  return time
}

/** Whether `YYYY-MM-DD` is a day of the calendar. */
export const isCalendarDate = (value: string): boolean =>
  datePattern.test(value) &&
  !Number.isNaN(startOfDay(value)) &&
  new Date(startOfDay(value)).toISOString().startsWith(value)

const startOfDay = (date: string): number => Date.parse(`${date}T00:00:00Z`)
