import { expect, test } from 'vitest'
import { nothingSelected, only, rangeOf, toggled, without, withRange } from './selection.ts'

const idsOf = ({ ids }: { ids: ReadonlySet<number> }) => [...ids]

test('selects ranges from the anchor in both directions', () => {
  const begun = only(13, 3)
  expect(rangeOf(begun.anchor, 6)).toEqual([3, 6])
  expect(rangeOf(begun.anchor, 1)).toEqual([1, 3])
  expect(rangeOf(null, 4)).toEqual([4, 4])
  const further = withRange(begun, [13, 14, 15], false)
  expect(further.anchor).toBe(3)
  expect(idsOf(withRange(further, [11, 12, 13], false))).toEqual([11, 12, 13])
})

test('keeps the previous selection on request', () => {
  const chosen = toggled(only(20, 10), 13, 3)
  expect(idsOf(withRange(chosen, [13, 14], true))).toEqual([20, 13, 14])
  expect(idsOf(withRange(chosen, [13, 14], false))).toEqual([13, 14])
})

test('deselects with a second toggle, without changes to the previous selection', () => {
  const once = toggled(nothingSelected, 5, 0)
  expect(idsOf(once)).toEqual([5])
  expect(idsOf(toggled(once, 5, 0))).toEqual([])
  expect(idsOf(once)).toEqual([5])
})

test('removes deleted photos and keeps the others', () => {
  expect(without(withRange(only(1, 0), [1, 2, 3], false), [2, 9])).toEqual({ ids: new Set([1, 3]), anchor: null })
})
