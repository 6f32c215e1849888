import { describe, expect, test } from 'vitest'
import { parseRetryAfter } from './retry-after.ts'

const now = Date.parse('2026-11-21T12:00:00Z')

describe('Retry-After', () => {
  test.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['999999999', 999_999_999_000],
    ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
    ['Saturday, 21-Nov-26 12:00:30 GMT', 30_000],
    ['Sat Nov 21 12:00:30 2026', 30_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ])('%j is valid', (header, ms) => {
    expect(parseRetryAfter(header, now)).toBe(ms)
  })

  test.each([
    undefined,
    '',
    '-1',
    '1.5',
    '1e9',
    '0x10',
    'soon',
    '1000000000',
    'x120',
    '120x',
    'xSat, 21 Nov 2026 12:00:30 GMT',
    'Sat, 21 Nov 2026 12:00:30 GMT (noon)',
    'Sat; 21 Nov 2026 12:00:30 GMT',
    'Xyz, 21 Nov 2026 12:00:30 GMT',
    '21 Nov 2026 12:00:30 GMT',
    '2026-11-21',
    'Sat, 99 Nov 2026 12:00:30 GMT',
    '9'.repeat(400),
  ])('%j is invalid', (header) => {
    expect(parseRetryAfter(header, now)).toBeNull()
  })
})
