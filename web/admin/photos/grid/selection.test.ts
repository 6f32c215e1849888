import { expect, test } from 'vitest'
import {
  emptySelection,
  keepListed,
  orderRange,
  removeFromSelection,
  selectRange,
  selectSingle,
  toggleSelected,
} from './selection.ts'

const idsOf = ({ ids }: { ids: ReadonlySet<number> }) => [...ids]

test('selects ranges from the anchor in both directions; keeps the previous selection on request', () => {
  const begun = selectSingle(13, 3)
  expect(orderRange(begun.anchor, 6)).toEqual([3, 6])
  expect(orderRange(begun.anchor, 1)).toEqual([1, 3])
  expect(orderRange(null, 4)).toEqual([4, 4])
  const further = selectRange(begun, [13, 14, 15], false)
  expect(further.anchor).toBe(3)
  expect(idsOf(selectRange(further, [11, 12, 13], false))).toEqual([11, 12, 13])
  const chosen = toggleSelected(selectSingle(20, 10), 13, 3)
  expect(idsOf(selectRange(chosen, [13, 14], true))).toEqual([20, 13, 14])
  expect(idsOf(selectRange(chosen, [13, 14], false))).toEqual([13, 14])
})

test('deselects with a second toggle, without changes to the previous selection', () => {
  const once = toggleSelected(emptySelection, 5, 0)
  expect(idsOf(once)).toEqual([5])
  expect(idsOf(toggleSelected(once, 5, 0))).toEqual([])
  expect(idsOf(once)).toEqual([5])
})

test('removes deleted photos and keeps the others', () => {
  expect(removeFromSelection(selectRange(selectSingle(1, 0), [1, 2, 3], false), [2, 9])).toEqual({
    ids: new Set([1, 3]),
    anchor: null,
  })
})

test('keeps only listed photos, and does not change a selection whose photos are all listed', () => {
  const chosen = selectRange(selectSingle(1, 0), [1, 2, 3], false)
  expect(keepListed(chosen, new Set([3, 2, 1, 7]))).toBe(chosen)
  expect(keepListed(chosen, new Set([3, 7]))).toEqual({ ids: new Set([3]), anchor: null })
  expect(keepListed(emptySelection, new Set())).toBe(emptySelection)
})
