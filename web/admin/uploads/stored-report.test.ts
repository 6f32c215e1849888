import { expect, test } from 'vitest'
import { limitPaths } from './stored-report.ts'

const paths = (count: number) => Array.from({ length: count }, (_, index) => `photo-${index}.jpg`)

test('stores a limited number of paths, with complete counts, and offers no retry', () => {
  const counts = { added: 1, known: 0, failed: 1_900, retryable: 1_900, leftOut: 300, cancelled: 0 }
  const group = (count: number) => ({ reason: 'other' as const, why: null, isLeftOut: false, paths: paths(count) })
  const repeated = paths(50).map((path) => ({ path, sameAs: null }))
  const stored = limitPaths({ report: { ...counts, groups: [group(1_900), group(300)] }, repeated })
  expect(stored.report).toMatchObject({ ...counts, retryable: 0 })
  expect(stored.report.groups.map((one) => one.paths.length)).toEqual([1_900, 100])
  expect(stored.repeated).toEqual([])
})
