import { expect, test } from 'vitest'
import { addPhotoMarks } from '../../../tests/support/database/mark-rows.ts'
import { memoryDatabase } from '../../../tests/support/database/memory-database.ts'
import { type FeedbackFilter, selectPhotosByFeedback } from './feedback-filters.ts'
import type { FeedbackRow } from './feedback-rows.ts'
import { createLabelMask } from './mark-rules.ts'

const { db } = await memoryDatabase()

const addFeedback = async (photo_id: number, feedback: Partial<FeedbackRow> & Pick<FeedbackRow, 'kind'>) => {
  await db
    .insertInto('feedback')
    .values({
      event_id: 1,
      photo_id,
      guest_id: 'ana',
      rating: null,
      color_label: null,
      comment_text: null,
      is_visible: 1,
      judged_at: null,
      created_at: 0,
      updated_at: 0,
      ...feedback,
    })
    .execute()
}

await addFeedback(1, { kind: 'like' })
await addFeedback(2, { kind: 'rating', rating: 4 })
await addFeedback(3, { kind: 'color_label', color_label: 'red' })
await addFeedback(4, { kind: 'comment', comment_text: 'Waits for approval', is_visible: 0 })
await addFeedback(5, { kind: 'favorite' })
await addFeedback(5, { kind: 'like' })
await addFeedback(6, { kind: 'like', guest_id: 'ben' })
await addFeedback(3, { kind: 'color_label', color_label: 'green', guest_id: 'ben' })
await addFeedback(9, { kind: 'like', event_id: 2 })

await addPhotoMarks(db, { photo_id: 1, like_count: 1 })
await addPhotoMarks(db, { photo_id: 2, average_hundredths: 400 })
await addPhotoMarks(db, { photo_id: 3, label_mask: createLabelMask(['red', 'green']) })
await addPhotoMarks(db, { photo_id: 5, favorite_count: 1, like_count: 1, average_hundredths: 399 })
await addPhotoMarks(db, { photo_id: 6, comment_count: 1, label_mask: createLabelMask(['green']) })
await addPhotoMarks(db, { photo_id: 9, event_id: 2, like_count: 1, average_hundredths: 500 })

type TestFilter = Partial<Omit<FeedbackFilter, 'guestId'>>

async function findMatching(guestId: string | null, testFilter: TestFilter) {
  const queries = selectPhotosByFeedback(db, 1, { guestId, kinds: [], colors: [], minRating: 0, ...testFilter })
  const found = await Promise.all(queries.map(async (ids) => (await ids.execute()).map(({ photo_id }) => photo_id)))
  const [first = [], ...others] = found
  const ids = first.filter((id) => others.every((other) => other.includes(id)))
  return { queries: queries.length, ids: [...new Set(ids)].sort((one, other) => one - other) }
}

test.each<[TestFilter, number, number[]]>([
  [{}, 0, []],
  [{ kinds: ['like'] }, 1, [1, 5]],
  [{ kinds: ['like', 'comment'] }, 1, [1, 4, 5]],
  [{ kinds: ['favorite'] }, 1, [5]],
  [{ colors: ['red'] }, 1, [3]],
  [{ colors: ['red', 'blue'] }, 1, [3]],
  [{ colors: ['green'] }, 1, []],
  [{ minRating: 3 }, 1, [2]],
  [{ minRating: 4 }, 1, [2]],
  [{ minRating: 5 }, 1, []],
  [{ kinds: ['rating'], minRating: 4 }, 2, [2]],
  [{ kinds: ['like'], minRating: 4 }, 2, []],
  [{ kinds: ['rating'], colors: ['red'], minRating: 4 }, 3, []],
])('feedback of one guest %o makes %i queries that select %o', async (testFilter, queries, ids) => {
  expect(await findMatching('ana', testFilter)).toEqual({ queries, ids })
})

test.each<[TestFilter, number, number[]]>([
  [{}, 0, []],
  [{ kinds: ['like'] }, 1, [1, 5]],
  [{ kinds: ['favorite'] }, 1, [5]],
  [{ kinds: ['rating'] }, 1, [2, 5]],
  [{ kinds: ['comment'] }, 1, [6]],
  [{ kinds: ['like', 'comment'] }, 1, [1, 5, 6]],
  [{ colors: ['red'] }, 1, [3]],
  [{ colors: ['green'] }, 1, [3, 6]],
  [{ colors: ['purple'] }, 1, []],
  [{ minRating: 4 }, 1, [2]],
  [{ minRating: 3 }, 1, [2, 5]],
  [{ kinds: ['like'], minRating: 3 }, 1, [5]],
  [{ kinds: ['comment'], colors: ['green'] }, 1, [6]],
])('feedback of any guest %o makes %i queries that select %o', async (testFilter, queries, ids) => {
  expect(await findMatching(null, testFilter)).toEqual({ queries, ids })
})
