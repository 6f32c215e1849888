import { expect, test } from 'vitest'
import { toCullingMarks } from './culling-marks.ts'

const none = { rating: null, label: null, labelColor: null, synced: null }

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
  const embedded = { ...none, rating: 3, label: 'Grün' }
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

test('marks of guests that a sync has written are left out, until the photographer changes them', () => {
  const picked = { ...none, rating: 5, label: 'Lila', synced: '5 purple' }
  expect(toCullingMarks(picked, null)).toBeNull()
  expect(toCullingMarks({ ...picked, rating: 4 }, null)).toEqual({ rating: 4, color_label: null })
  expect(toCullingMarks({ ...picked, label: 'Red' }, null)).toEqual({ rating: null, color_label: 'red' })
  expect(toCullingMarks({ ...picked, synced: '- purple' }, null)).toEqual({ rating: 5, color_label: null })
  expect(toCullingMarks({ ...picked, synced: 'anything else' }, null)).toEqual({ rating: 5, color_label: 'purple' })
  expect(toCullingMarks({ ...none, rating: 2 }, picked)).toBeNull()
})
