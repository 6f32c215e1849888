import { expect, test } from 'vitest'
import { endOfDayAfter, formatLocalDateTime, parseLocalDateTime } from './local-time.ts'

test('converts a time to local time and back, to the minute; null is an empty field and invalid text is null', () => {
  for (const iso of ['2026-03-29T01:30:00.000Z', '2026-10-25T00:30:00.000Z', '2026-12-31T23:59:00.000Z']) {
    expect(parseLocalDateTime(formatLocalDateTime(iso))).toBe(iso)
  }
  expect(formatLocalDateTime('2026-05-01T10:20:59.999Z')).toMatch(/^2026-0[45]-\d\dT\d\d:\d\d$/)
  expect(formatLocalDateTime(null)).toBe('')
  expect(parseLocalDateTime('')).toBeNull()
  expect(parseLocalDateTime('soon')).toBeNull()
})

test('ends a period at the end of its last day', () => {
  expect(endOfDayAfter(30, new Date(2026, 0, 15, 12))).toBe('2026-02-14T23:59')
})
