import { expect, test } from 'vitest'
import {
  changeSearch,
  formatPhotoSearch,
  getSortDirection,
  listFilters,
  listJoinedFilters,
  type PhotoSearch,
  parsePhotoSearch,
  toggleColor,
} from './photo-search.ts'

const full: PhotoSearch = {
  search: 'IMG_1',
  category_id: '12',
  has_likes: true,
  min_rating: 3,
  own_color_label: 'red,green',
  logic: 'OR',
  visibility: 'hidden',
  media_type: 'video',
  uploaded_by: 'guest',
  decision: 'waiting',
  processing_status: 'failed',
  sort: 'rating',
  order: 'asc',
}

test('reads each filter that it has written to the address', () => {
  expect(parsePhotoSearch(formatPhotoSearch(full))).toEqual(full)
  expect(parsePhotoSearch(formatPhotoSearch({ category_id: 'uncategorized' }))).toEqual({
    category_id: 'uncategorized',
  })
})

test('ignores invalid values', () => {
  const odd = {
    search: '  ',
    category_id: 'weddings',
    has_likes: 'maybe',
    min_rating: 9,
    color_label: 'orange',
    logic: 'XOR',
    visibility: 'gone',
    sort: 'colour',
    order: 'up',
    photo: 7,
  }
  expect(parsePhotoSearch(odd)).toEqual({})
})

test('separates filters from the order, and those that AND and OR join from the others', () => {
  expect(listJoinedFilters(full)).toEqual(['has_likes', 'min_rating', 'own_color_label'])
  expect(listFilters(full)).toHaveLength(10)
  expect(listFilters({ sort: 'name', order: 'desc', logic: 'OR' })).toEqual([])
})

test('drops OR when only one joined filter is left', () => {
  const both: PhotoSearch = { has_likes: true, min_rating: 3, logic: 'OR' }
  expect(changeSearch(both, { search: 'IMG_1' })).toEqual({ ...both, search: 'IMG_1' })
  expect(changeSearch(both, { min_rating: undefined })).toEqual({ has_likes: true })
})

test('adds and removes a color in the order of the keys', () => {
  expect(toggleColor(undefined, 'green')).toBe('green')
  expect(toggleColor('green', 'red')).toBe('red,green')
  expect(toggleColor('red,green', 'red')).toBe('green')
  expect(toggleColor('green', 'green')).toBeUndefined()
})

test('shows the best rated photos first by default', () => {
  expect(getSortDirection({})).toBe('asc')
  expect(getSortDirection({ sort: 'rating' })).toBe('desc')
  expect(getSortDirection({ sort: 'rating', order: 'asc' })).toBe('asc')
})
