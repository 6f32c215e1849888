import { expect, test } from 'vitest'
import { toCullingMarks } from './culling-marks.ts'

const none = { rating: null, label: null, labelColor: null }

test.each([
  [4, 4],
  [1, 1],
  [4.6, 5],
  [0, null],
  [-1, null],
  [6, null],
])('a rating of %d becomes %s', (rating, expected) => {
  const marks = toCullingMarks({ ...none, rating, label: 'Red' }, null)
  expect(marks).toEqual({ rating: expected, color_label: 'red' })
})

test('a sidecar precedes the file, also with a rejection and an unknown label', () => {
  const embedded = { rating: 3, label: 'Grün', labelColor: null }
  expect(toCullingMarks(embedded, { ...none, rating: 5 })).toEqual({ rating: 5, color_label: 'green' })
  expect(toCullingMarks(embedded, { ...none, rating: -1 })).toEqual({ rating: null, color_label: 'green' })
  expect(toCullingMarks(embedded, { ...none, label: 'Winner' })).toEqual({ rating: 3, color_label: null })
  expect(toCullingMarks(null, { ...none, label: 'Winner' })).toBeNull()
})

test('the color without a language precedes the name', () => {
  expect(toCullingMarks({ ...none, label: 'Winner', labelColor: 'blue' }, null)).toEqual({
    rating: null,
    color_label: 'blue',
  })
  expect(toCullingMarks(none, none)).toBeNull()
  expect(toCullingMarks(null, null)).toBeNull()
})
