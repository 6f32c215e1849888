import { expect, test } from 'vitest'
import type { MarkFilterQuery } from '../../../contract/photos.ts'
import { catchAppError } from '../../../tests/support/clients/app-errors.ts'
import { parseColors, parseMarkFilter } from './mark-filter-rules.ts'

test.each([
  [undefined, []],
  ['', []],
  [' , ,', []],
  ['all', []],
  ['red,all', []],
  ['red', ['red']],
  [' green , red,green', ['red', 'green']],
])('parseColors parses %o as %o', (text, colors) => {
  expect(parseColors('color_labels', text)).toEqual(colors)
})

test.each(['orange', 'red,orange', 'Red', 'red green', 'all,none'])(
  'parseColors rejects %s with the name of its field',
  (text) => {
    const message = 'must only contain red, yellow, green, blue, purple, or be all'
    const appError = catchAppError(() => parseColors('color_labels', text))
    expect(appError?.code).toBe('VALIDATION_ERROR')
    expect(appError?.extras).toEqual({
      text: `color_labels ${message}.`,
      details: [{ path: 'color_labels', message }],
    })
  },
)

const empty: MarkFilterQuery = { marked_only: false, mark_source: 'either', logic: 'AND' }

test('parseMarkFilter leaves out everything that the query does not contain', () => {
  expect(parseMarkFilter(empty)).toEqual({
    markedOnly: false,
    source: 'either',
    colors: [],
    myColors: [],
    minRating: null,
    myMinRating: null,
    given: [],
    logic: 'AND',
  })
})

test('parseMarkFilter contains each part of the query', () => {
  const query: MarkFilterQuery = {
    marked_only: true,
    mark_source: 'mine',
    color_labels: 'red',
    my_color_labels: 'blue,green',
    min_rating: 3.5,
    my_min_rating: 2,
    logic: 'OR',
  }
  expect(parseMarkFilter(query)).toEqual({
    markedOnly: true,
    source: 'mine',
    colors: ['red'],
    myColors: ['green', 'blue'],
    minRating: 3.5,
    myMinRating: 2,
    given: [],
    logic: 'OR',
  })
})

test('parseMarkFilter treats a minimum rating of 0 as no filter', () => {
  const zero = { ...empty, min_rating: 0, my_min_rating: 0 } as MarkFilterQuery
  expect(parseMarkFilter(zero)).toMatchObject({ minRating: null, myMinRating: null })
})

test.each([
  ['color_labels', { color_labels: 'orange' }],
  ['my_color_labels', { my_color_labels: 'orange' }],
])('parseMarkFilter rejects an unknown color in %s', (path, query) => {
  const appError = catchAppError(() => parseMarkFilter({ ...empty, ...query }))
  expect(appError?.extras.details).toMatchObject([{ path }])
})
