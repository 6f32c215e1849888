import { expect, test } from 'vitest'
import { computeScanPauseMs } from './watch-imports.ts'

test.each([
  ['a quick scan', { listingMs: 3, hasMore: false }, 10_000],
  ['a scan of half a second', { listingMs: 500, hasMore: false }, 10_000],
  ['a scan of two seconds', { listingMs: 2_000, hasMore: false }, 40_000],
  ['a scan of an hour', { listingMs: 3_600_000, hasMore: false }, 300_000],
  ['a scan that left files over', { listingMs: 2_000, hasMore: true }, 0],
])('returns the pause after %s', (_scan, report, pauseMs) => {
  expect(computeScanPauseMs(report, 10_000)).toBe(pauseMs)
})
