import { expect, test } from 'vitest'
import { dayOf } from '../../../contract/gallery/gallery-page.ts'

const now = Date.parse('2027-05-20T12:00:00Z')

test('formats the day in the locale and time zone of the reader, with the year when it is not the current one', () => {
  expect(dayOf('en-GB', '2027-05-03T10:00:00Z', now, 'UTC')).toBe('3 May')
  expect(dayOf('en-US', '2027-05-03T10:00:00Z', now, 'UTC')).toBe('May 3')
  expect(dayOf('de', '2027-05-03T10:00:00Z', now, 'UTC')).toBe('3. Mai')
  expect(dayOf('en-GB', '2026-05-03T10:00:00Z', now, 'UTC')).toBe('3 May 2026')
  expect(dayOf('en-GB', '2027-05-03T23:30:00Z', now, 'Europe/Berlin')).toBe('4 May')
  const newYear = Date.parse('2028-01-01T00:30:00Z')
  expect(dayOf('en-GB', '2027-12-31T23:30:00Z', newYear, 'Europe/Berlin')).toBe('1 Jan')
})
