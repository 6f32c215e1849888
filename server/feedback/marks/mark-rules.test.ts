import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ColorLabel, colorLabels } from '../../../contract/marks.ts'
import {
  applyMarkChange,
  averageHundredths,
  type CountedMark,
  countGuestMarks,
  createLabelMask,
  dominantColor,
  getFeedbackStatus,
  haveMarksChanged,
  type LabelCounts,
  labelTally,
  type MarkCounts,
  mergeMarks,
  type OwnMark,
  roundedRating,
} from './mark-rules.ts'

const tieOrder = ['green', 'yellow', 'red', 'blue', 'purple'] as const

const counts = (given: Partial<LabelCounts> = {}): LabelCounts => ({
  red: 0,
  yellow: 0,
  green: 0,
  blue: 0,
  purple: 0,
  ...given,
})
const anyCount = fc.nat({ max: 50 })
const anyCounts: fc.Arbitrary<LabelCounts> = fc.record({
  red: anyCount,
  yellow: anyCount,
  green: anyCount,
  blue: anyCount,
  purple: anyCount,
})
const anyColor = fc.constantFrom(...colorLabels)
const anyMark: fc.Arbitrary<OwnMark> = fc.record({
  rating: fc.option(fc.integer({ min: 1, max: 5 })),
  color_label: fc.option(anyColor),
})

/** All 31 sets of one to five colors. */
const ties: ColorLabel[][] = Array.from({ length: 31 }, (_, index) =>
  tieOrder.filter((_color, place) => ((index + 1) >> place) & 1),
)

test('dominant color is null without labels', () => {
  expect(dominantColor(counts())).toBeNull()
})

test.each(colorLabels)('dominant color is %s if it has the most labels, even by one', (color) => {
  const others = Object.fromEntries(colorLabels.map((other) => [other, 6]))
  expect(dominantColor(counts({ ...others, [color]: 7 }))).toBe(color)
  expect(dominantColor(counts({ [color]: 1 }))).toBe(color)
})

test.each(ties.map((tied) => ({ tied, first: tied[0] })))(
  'dominant color is $first for a tie of $tied',
  ({ tied, first }) => {
    const level = Object.fromEntries(tied.map((color) => [color, 3]))
    expect(dominantColor(counts(level))).toBe(first)
    const below = Object.fromEntries(tieOrder.map((color) => [color, tied.includes(color) ? 3 : 2]))
    expect(dominantColor(counts(below))).toBe(first)
  },
)

const allRatings = (guests: number): number[][] =>
  guests === 0 ? [[]] : allRatings(guests - 1).flatMap((given) => [1, 2, 3, 4, 5].map((stars) => [...given, stars]))

const totalsOf = (ratings: readonly number[]) => ({
  rating_sum: ratings.reduce((sum, stars) => sum + stars, 0),
  rating_count: ratings.length,
})

test('average rating is 0 without ratings, and null in whole stars', () => {
  expect(averageHundredths(totalsOf([]))).toBe(0)
  expect(roundedRating(totalsOf([]))).toBeNull()
})

test.each([
  [[5], 500, 5],
  [[1], 100, 1],
  [[4, 5], 450, 5],
  [[3, 4], 350, 4],
  [[1, 2], 150, 2],
  [[1, 1, 2], 133, 1],
  [[1, 2, 2], 167, 2],
  [[5, 5, 5, 4, 4, 4, 4], 443, 4],
  [[1, 1, 1, 1, 1, 1, 1, 2], 113, 1],
  [[4, 4, 4, 4, 4, 4, 4, 5], 413, 4],
  [[2, 3, 2, 3, 2, 3, 2], 243, 2],
])('average rating of %j is %i hundredths and %i whole stars', (ratings, hundredths, stars) => {
  expect(averageHundredths(totalsOf(ratings))).toBe(hundredths)
  expect(roundedRating(totalsOf(ratings))).toBe(stars)
})

test('average rating rounds half up to hundredths and to stars', () => {
  for (const ratings of [1, 2, 3, 4, 5].flatMap(allRatings)) {
    const totals = totalsOf(ratings)
    const { rating_sum: sum, rating_count: count } = totals
    // In whole numbers: h is the hundredth for which h - 0.5 <= 100 sum / count < h + 0.5.
    const hundredths = averageHundredths(totals)
    expect((2 * hundredths - 1) * count <= 200 * sum && 200 * sum < (2 * hundredths + 1) * count).toBe(true)
    const stars = roundedRating(totals) ?? Number.NaN
    expect((2 * stars - 1) * count <= 2 * sum && 2 * sum < (2 * stars + 1) * count).toBe(true)
  }
})

test('merging marks client and mine return only their own side', () => {
  fc.assert(
    fc.property(anyMark, anyMark, (client, mine) => {
      expect(mergeMarks('client', client, mine)).toEqual(client)
      expect(mergeMarks('mine', client, mine)).toEqual(mine)
    }),
  )
})

test('merging marks either has the own color whenever it is set, and the higher rating', () => {
  const guests: OwnMark = { rating: 5, color_label: 'green' }
  const merged = { rating: 5, color_label: 'purple' }
  expect(mergeMarks('either', guests, { rating: 1, color_label: 'purple' })).toEqual(merged)
})

test('merging marks either has the higher rating, and a color if one side has one', () => {
  fc.assert(
    fc.property(anyMark, anyMark, (client, mine) => {
      const merged = mergeMarks('either', client, mine)
      const given = [client.rating, mine.rating].filter((rating) => rating !== null)
      expect(merged.rating).toBe(given.length === 0 ? null : Math.max(...given))
      expect(merged.color_label).toBe(mine.color_label === null ? client.color_label : mine.color_label)
    }),
  )
})

test('label mask uses the stored bits: red 1, yellow 2, green 4, blue 8, purple 16', () => {
  expect(['red', 'yellow', 'green', 'blue', 'purple'].map((color) => createLabelMask([color as ColorLabel]))).toEqual([
    1, 2, 4, 8, 16,
  ])
})

test('the tally contains only colors with labels', () => {
  expect(labelTally(counts())).toEqual({})
  expect(labelTally(counts({ purple: 2, red: 1 }))).toEqual({ red: 1, purple: 2 })
  fc.assert(
    fc.property(anyCounts, (given) => {
      const tally = labelTally(given)
      return colorLabels.every((color) => (given[color] === 0 ? !(color in tally) : tally[color] === given[color]))
    }),
  )
})

const given = (kind: CountedMark['kind'], mark: Partial<CountedMark> = {}): CountedMark => ({
  kind,
  rating: null,
  color_label: null,
  is_visible: 1,
  ...mark,
})
const nothing: MarkCounts = {
  ...counts(),
  rating_sum: 0,
  rating_count: 0,
  like_count: 0,
  favorite_count: 0,
  comment_count: 0,
  feedback_count: 0,
}
const four = given('rating', { rating: 4 })
const red = given('color_label', { color_label: 'red' })
const waiting = given('comment', { is_visible: 0 })

test.each<[string, CountedMark[], Partial<MarkCounts>]>([
  ['nothing', [], {}],
  ['a rating', [four], { rating_sum: 4, rating_count: 1, feedback_count: 1 }],
  ['a label', [red], { red: 1, feedback_count: 1 }],
  ['a like', [given('like')], { like_count: 1, feedback_count: 1 }],
  ['a favorite', [given('favorite')], { favorite_count: 1, feedback_count: 1 }],
  ['a comment', [given('comment')], { comment_count: 1, feedback_count: 1 }],
  ['a comment that waits for approval', [waiting], {}],
  ['two comments, one of which waits', [given('comment'), waiting], { comment_count: 1, feedback_count: 1 }],
  [
    'one of each',
    [four, red, given('like'), given('favorite'), given('comment')],
    { rating_sum: 4, rating_count: 1, red: 1, like_count: 1, favorite_count: 1, comment_count: 1, feedback_count: 1 },
  ],
])('contribution of one guest to the counters is counted for %s', (_what, marks, share) => {
  expect(countGuestMarks(marks)).toEqual({ ...nothing, ...share })
})

test('contribution of one guest to the counters replaces the previous contribution', () => {
  const before: MarkCounts = { ...nothing, rating_sum: 9, rating_count: 2, red: 3, like_count: 1, feedback_count: 5 }
  const blue = given('color_label', { color_label: 'blue' })
  expect(applyMarkChange(before, [four, red], [given('rating', { rating: 5 }), blue])).toEqual({
    ...before,
    rating_sum: 10,
    red: 2,
    blue: 1,
  })
  expect(applyMarkChange(before, [four, red], [])).toEqual({
    ...before,
    rating_sum: 5,
    rating_count: 1,
    red: 2,
    feedback_count: 4,
  })
})

test.each([
  [1, null, 'approved'],
  [1, 7, 'approved'],
  [0, null, 'pending'],
  [0, 7, 'hidden'],
] as const)('feedback with is_visible %i and judged_at %o is %s', (is_visible, judged_at, status) => {
  expect(getFeedbackStatus({ is_visible, judged_at })).toBe(status)
})

test('marks have changed when one of their counts has; comments are no marks', () => {
  const counts = (...kinds: Array<'like' | 'favorite' | 'comment'>) =>
    countGuestMarks(kinds.map((kind) => ({ kind, rating: null, color_label: null, is_visible: 1 })))
  expect(haveMarksChanged(counts(), counts('comment'))).toBe(false)
  expect(haveMarksChanged(counts('like'), counts('like'))).toBe(false)
  expect(haveMarksChanged(counts('like'), counts())).toBe(true)
  expect(haveMarksChanged(counts(), counts('like', 'favorite'))).toBe(true)
})
