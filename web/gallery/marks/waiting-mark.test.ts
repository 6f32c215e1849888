import { expect, test } from 'vitest'
import {
  getMarkKey,
  type MarkBody,
  replaceMark,
  sortByTime,
  toPhotoFields,
  updateMarkCounts,
  type WaitingMark,
} from './waiting-mark.ts'

const mark = (body: MarkBody, further: Partial<WaitingMark> = {}): WaitingMark => ({
  id: 'one',
  slug: 'ana-ben',
  guestId: 'guest',
  photoId: 1,
  body,
  before: { feedback_type: body.feedback_type, set: false },
  at: 1,
  ...further,
})

const pick: MarkBody = { feedback_type: 'favorite', set: true }
const unpick: MarkBody = { feedback_type: 'favorite', set: false }

test('uses one key for marks of the same gallery, guest, photo and kind', () => {
  expect(getMarkKey(mark(pick))).toBe(getMarkKey(mark(unpick, { id: 'two', at: 9 })))
  const others = [mark({ feedback_type: 'like', set: true }), mark(pick, { photoId: 2 })]
  others.push(mark(pick, { slug: 'other' }), mark(pick, { guestId: 'other' }))
  expect(new Set([mark(pick), ...others].map(getMarkKey)).size).toBe(5)
})

test('keeps the original `before` value when a mark is replaced, and sorts marks by the time they were given', () => {
  const first = mark({ feedback_type: 'rating', rating: 3 }, { before: { feedback_type: 'rating', rating: 5 } })
  const second = mark({ feedback_type: 'rating', rating: 1 }, { id: 'two', before: first.body })
  expect(replaceMark(first, second)).toEqual({ ...second, before: first.before })
  expect(replaceMark(undefined, second)).toEqual(second)
  const marks = [3, 1, 2].map((at) => mark(pick, { at }))
  expect(sortByTime(marks).map(({ at }) => at)).toEqual([1, 2, 3])
})

test.each([
  [{ feedback_type: 'like', set: true }, { is_liked: true }],
  [{ feedback_type: 'favorite', set: false }, { is_favorited: false }],
  [{ feedback_type: 'rating', rating: 4 }, { my_rating: 4 }],
  [{ feedback_type: 'rating', rating: 0 }, { my_rating: null }],
  [{ feedback_type: 'color_label', color_label: 'red', set: true }, { my_color_label: 'red' }],
  [{ feedback_type: 'color_label', color_label: null, set: false }, { my_color_label: null }],
] satisfies Array<[MarkBody, object]>)('%j sets the photo fields %j', (body, fields) => {
  expect(toPhotoFields(body)).toEqual(fields)
})

test('changes only the counts of marks that change', () => {
  const none = { is_liked: false, is_favorited: false, my_rating: null, my_color_label: null }
  const some = { is_liked: false, is_favorited: true, my_rating: 4, my_color_label: 'red' as const }
  const counts = { favorited: 5, liked: 5, rated: 5, color_labeled: 5, photos: 9 }
  const { liked, photos } = counts
  const more = { favorited: 6, rated: 6, color_labeled: 6, liked, photos }
  expect(updateMarkCounts(counts, none, some)).toEqual(more)
  expect(updateMarkCounts(counts, some, { ...some, my_rating: 1 })).toEqual(counts)
  const fewer = { favorited: 4, rated: 4, color_labeled: 4, liked, photos }
  expect(updateMarkCounts(counts, some, none)).toEqual(fewer)
})
