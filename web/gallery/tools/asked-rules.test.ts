import { expect, test } from 'vitest'
import { hiddenFilterCount, inOrder, isFiltered, names, readAsked, toggled, withScope } from './asked-rules.ts'

test('wishes that are alike look alike, whatever order and blanks they come with', () => {
  const one = readAsked('?search=ana&color_label=red&photo=7&filter=')
  expect(JSON.stringify(one)).toBe(JSON.stringify(inOrder({ color_label: 'red', search: 'ana', sort: undefined })))
})

test('colours join those that are on, and leave them again', () => {
  const red = toggled({}, 'color_label', 'red')
  const both = toggled(red, 'color_label', 'green')
  expect(both).toEqual({ color_label: 'red,green' })
  expect(names(both, 'color_label', 'green')).toBe(true)
  expect(toggled(toggled(both, 'color_label', 'red'), 'color_label', 'green')).toEqual({})
})

test('the chip of a category keeps what the sheet filters by, and takes the place of my picks', () => {
  const asked = { filter: 'favorited,commented', color_label: 'red', my_min_rating: '4', sort: 'filename_asc' }
  expect(withScope(asked, { category_id: '3' }, 'favorited')).toEqual({
    filter: 'commented',
    color_label: 'red',
    category_id: '3',
    my_min_rating: '4',
    sort: 'filename_asc',
  })
})

test('the chip of all photos clears the category', () => {
  const asked = { category_id: '3', color_label: 'red' }
  expect(withScope(asked, {}, 'favorited')).toEqual({ color_label: 'red' })
})

test('filters that chips show are not counted once more', () => {
  expect(hiddenFilterCount({ filter: 'favorited', category_id: '3' }, 'favorited')).toBe(0)
  const asked = { filter: 'liked,commented', color_label: 'red,blue', my_min_rating: '4', media_type: 'video' }
  expect(hiddenFilterCount(asked, 'liked')).toBe(5)
})

test('an order alone filters nothing', () => {
  expect(isFiltered({ sort: 'filename_asc' })).toBe(false)
  expect(isFiltered({ search: 'a' })).toBe(true)
})
