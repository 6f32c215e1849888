import { expect, test } from 'vitest'
import { findGroupStarts, isGroupedList, type PhotoGroup } from './photo-groups.ts'

const group = (category_id: number | null, count: number): PhotoGroup => ({ category_id, name: null, count })
const groups = [group(1, 3), group(2, 100), group(null, 5)]
const starts = (offset: number, listed: number) =>
  findGroupStarts(groups, offset, listed).map(({ category_id, index }) => `${category_id} ${index}`)

test('headings of groups stand before the first listed photo of each group', () => {
  expect(starts(0, 108)).toEqual(['1 0', '2 3', 'null 103'])
})

test('headings of groups of a part of the list: of its groups only, and its first photo has one', () => {
  expect(starts(0, 60)).toEqual(['1 0', '2 3'])
  expect(starts(60, 48)).toEqual(['2 0', 'null 43'])
  expect(starts(103, 5)).toEqual(['null 0'])
})

test('headings of groups are left out above photos without a category at the start, for one group and for few photos', () => {
  const found = findGroupStarts([group(null, 70), group(3, 5)], 0, 75)
  expect(found.map(({ category_id, index }) => [category_id, index])).toEqual([[3, 70]])
  expect(findGroupStarts([group(null, 70), group(3, 5)], 60, 10)).toEqual([])
  expect(findGroupStarts([group(1, 20)], 0, 20)).toEqual([])
  expect(findGroupStarts([group(1, 1), group(2, 2)], 0, 3)).toEqual([])
})

test('lists are grouped until the guest chooses an order or a category', () => {
  expect([{}, { filter: 'favorited' }, { search: 'a' }].map(isGroupedList)).toEqual([true, true, true])
  expect([{ sort: 'filename' }, { category_id: '3' }].map(isGroupedList)).toEqual([false, false])
})
