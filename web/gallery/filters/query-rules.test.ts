import { expect, test } from 'vitest'
import {
  applyScope,
  hiddenFilterCount,
  includesValue,
  isFiltered,
  normalizeQuery,
  parseQuery,
  toggleValue,
} from './query-rules.ts'

test('normalizes equal queries to equal JSON, in any key order and without empty values', () => {
  const one = parseQuery('?search=ana&color_label=red&photo=7&filter=')
  expect(JSON.stringify(one)).toBe(
    JSON.stringify(normalizeQuery({ color_label: 'red', search: 'ana', sort: undefined })),
  )
})

test('adds a color to the selected colors and removes it again', () => {
  const red = toggleValue({}, 'color_label', 'red')
  const both = toggleValue(red, 'color_label', 'green')
  expect(both).toEqual({ color_label: 'red,green' })
  expect(includesValue(both, 'color_label', 'green')).toBe(true)
  expect(toggleValue(toggleValue(both, 'color_label', 'red'), 'color_label', 'green')).toEqual({})
})

test('keeps the filters of the sheet when a category chip, or that of all photos, replaces my picks', () => {
  const listQuery = { filter: 'favorited,commented', color_label: 'red', my_min_rating: '4', sort: 'filename_asc' }
  expect(applyScope(listQuery, { category_id: '3' }, 'favorited')).toEqual({
    filter: 'commented',
    color_label: 'red',
    category_id: '3',
    my_min_rating: '4',
    sort: 'filename_asc',
  })
  expect(applyScope({ category_id: '3', color_label: 'red' }, {}, 'favorited')).toEqual({ color_label: 'red' })
})

test('does not count filters that chips show, or a sort order', () => {
  expect(hiddenFilterCount({ filter: 'favorited', category_id: '3' }, 'favorited')).toBe(0)
  const listQuery = { filter: 'liked,commented', color_label: 'red,blue', my_min_rating: '4', media_type: 'video' }
  expect(hiddenFilterCount(listQuery, 'liked')).toBe(5)
  expect(isFiltered({ sort: 'filename_asc' })).toBe(false)
  expect(isFiltered({ search: 'a' })).toBe(true)
})
