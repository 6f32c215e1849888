import { expect, test } from 'vitest'
import {
  createExportFilters,
  createPickFilter,
  filterPicks,
  mostPickedFirst,
  type PicksSearch,
  parsePicksChoice,
} from './picks-choice.ts'

const photos = [
  { id: 1, picked_by: ['ana'] },
  { id: 2, picked_by: ['ana', 'ben'] },
  { id: 3, picked_by: ['ben', 'cleo'] },
  { id: 4, picked_by: ['ana', 'ben', 'cleo'] },
]
const pickers = ['ana', 'ben', 'cleo']
const shown = (search: PicksSearch) =>
  filterPicks(photos, createPickFilter(parsePicksChoice(search, pickers), pickers)).map(({ id }) => id)

test('filtering picks shows all picks, those of at least two guests, or those of all guests', () => {
  expect(shown({})).toEqual([1, 2, 3, 4])
  expect(shown({ show: 'overlap' })).toEqual([2, 3, 4])
  expect(shown({ show: 'everybody' })).toEqual([4])
})

test('filtering picks shows picks of any, of all, or only of the chosen guests; ignores invalid values in the address', () => {
  expect(shown({ by: 'ana' })).toEqual([1, 2, 4])
  expect(shown({ by: 'ana', way: 'only' })).toEqual([1])
  expect(shown({ by: 'ana,cleo' })).toEqual([1, 2, 3, 4])
  expect(shown({ by: 'ana,ben', way: 'all' })).toEqual([2, 4])
  expect(shown({ by: 'ana,ben', way: 'only' })).toEqual([2])
  expect(shown({ by: 'nobody', way: 'x', show: 'y' })).toEqual([1, 2, 3, 4])
})

test('filtering picks creates the same filter for an export', () => {
  const guestMarks = { mark_source: 'client', comments: 'pending' }
  expect(createExportFilters(createPickFilter(parsePicksChoice({}, pickers), pickers))).toEqual({
    ...guestMarks,
    min_pickers: 1,
    pickers: 'any',
  })
  expect(
    createExportFilters(createPickFilter(parsePicksChoice({ by: 'ben,ana', way: 'all' }, pickers), pickers)),
  ).toEqual({ ...guestMarks, picked_by: 'ana,ben', pickers: 'all' })
  const everybody = createPickFilter(parsePicksChoice({ show: 'everybody' }, pickers), pickers)
  expect(createExportFilters(everybody)).toEqual({ ...guestMarks, picked_by: 'ana,ben,cleo', pickers: 'all' })
  const one = createPickFilter(parsePicksChoice({ by: 'ben', way: 'only' }, pickers), pickers)
  expect(createExportFilters(one)).toEqual({ ...guestMarks, picked_by: 'ben', pickers: 'only', marks_of: 'ben' })
})

test('sorts by the number of guests and keeps the order of equal photos', () => {
  expect(mostPickedFirst(photos).map(({ id }) => id)).toEqual([4, 2, 3, 1])
})
