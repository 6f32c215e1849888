import { expect, test } from 'vitest'
import type { Decision, ReviewState } from '../../../contract/gallery/decisions.ts'
import { judgeReview } from './review-rules.ts'

test.each<[version: number, current: Decision[], missing: number | null, ReviewState]>([
  [1, [], null, 'unasked'],
  [1, [], 2, 'unasked'],
  [2, [], null, 'waiting'],
  [2, [], 1, 'waiting'],
  [2, [], 0, 'unasked'],
  [1, ['approved'], null, 'approved'],
  [1, ['approved'], 1, 'waiting'],
  [2, ['approved', 'approved_with_changes'], 0, 'approved_with_changes'],
  [2, ['approved', 'changes_wanted'], 1, 'changes_wanted'],
])('version %d with %j and %j others is %s', (version, current, missing, state) => {
  expect(judgeReview({ version, current, missing })).toBe(state)
})
