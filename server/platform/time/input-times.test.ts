import fc from 'fast-check'
import { expect, test } from 'vitest'
import { catchAppError } from '../../../tests/support/clients/app-errors.ts'
import { isCalendarDate, parseEndTime, parseInputTime } from './input-times.ts'

const timeOf = (value: string): string => new Date(parseInputTime('reveal_at', value)).toISOString()

test.each([
  ['2026-05-04T10:20:30Z', '2026-05-04T10:20:30.000Z'],
  ['2026-05-04T10:20:30.123456Z', '2026-05-04T10:20:30.123Z'],
  ['2026-05-04T10:20:30+02:00', '2026-05-04T08:20:30.000Z'],
  ['2026-05-04T10:20-0530', '2026-05-04T15:50:00.000Z'],
])('a time given by a client %s with a zone is exact', (value, expected) => {
  expect(timeOf(value)).toBe(expected)
})

test.each(['2026-05-04T10:20', '2026-05-04T10:20:00', '2026-05-04 10:20', '2026-05-04 10:20:00.000'])(
  'a time given by a client %s without a zone is UTC',
  (value) => {
    expect(timeOf(value)).toBe('2026-05-04T10:20:00.000Z')
  },
)

test('a time given by a client that is a date is the start of that day', () => {
  expect(timeOf('2026-12-31')).toBe('2026-12-31T00:00:00.000Z')
  expect(timeOf('2028-02-29')).toBe('2028-02-29T00:00:00.000Z')
})

test('a time given by a client is parsed back from its ISO form', () => {
  const anyTime = fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  fc.assert(fc.property(anyTime, (date) => timeOf(date.toISOString()) === date.toISOString()))
})

test.each([
  '',
  '1777777777',
  '2026-13-01',
  '2026-02-30T10:00Z',
  '2027-02-29T10:00:00',
  '2026-05-04T25:00Z',
  '2026-05-04T10:60Z',
  '2026-05-04T10:00+99:00',
  '2026-05-04T10:00Z; drop table',
])('a time given by a client %j is rejected with the field', (value) => {
  const appError = catchAppError(() => parseInputTime('reveal_at', value))
  expect(appError?.code).toBe('VALIDATION_ERROR')
  expect(appError?.extras.details?.[0]?.path).toBe('reveal_at')
})

test('a date as an end time is the end of that day; it must be in the future', () => {
  const clock = { now: () => Date.parse('2026-05-04T10:00:00Z') }
  expect(parseEndTime('expires_at', '2028-02-29', clock)).toBe(Date.parse('2028-02-29T23:59:59.999Z'))
  expect(parseEndTime('expires_at', '2026-05-04T10:00:00.001Z', clock)).toBe(clock.now() + 1)
  expect(parseEndTime('expires_at', '2026-05-04', clock)).toBeGreaterThan(clock.now())
  expect(catchAppError(() => parseEndTime('expires_at', '2026-05-04T10:00:00Z', clock))?.code).toBe('VALIDATION_ERROR')
  expect(catchAppError(() => parseEndTime('expires_at', '2026-05-03', clock))?.code).toBe('VALIDATION_ERROR')
})

test('only calendar days are dates', () => {
  expect(['2026-05-04', '2028-02-29', '2000-02-29'].filter(isCalendarDate)).toHaveLength(3)
  expect(
    ['2026-02-29', '1900-02-29', '2026-04-31', '2026-00-10', '2026-05-04T00:00', '26-05-04'].filter(isCalendarDate),
  ).toEqual([])
})
