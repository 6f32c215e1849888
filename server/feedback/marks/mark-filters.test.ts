import { describe, expect, test } from 'vitest'
import { addAccountMark, addPhotoMarks } from '../../../tests/support/database/mark-rows.ts'
import { memoryDatabase } from '../../../tests/support/database/memory-database.ts'
import { hasMarkFilters, type MarkFilter, selectPhotosByMarks } from './mark-filters.ts'
import { createLabelMask } from './mark-rules.ts'

const { db } = await memoryDatabase()
await addPhotoMarks(db, { photo_id: 1, label_mask: createLabelMask(['red']), average_hundredths: 350, like_count: 1 })
await addPhotoMarks(db, { photo_id: 2, label_mask: createLabelMask(['green', 'blue']) })
await addPhotoMarks(db, { photo_id: 3, average_hundredths: 110, favorite_count: 2 })
await addPhotoMarks(db, { photo_id: 4, comment_count: 1 })
await addPhotoMarks(db, { photo_id: 9, event_id: 2, label_mask: 31, average_hundredths: 500, like_count: 1 })
await addAccountMark(db, { photo_id: 1, rating: 4 })
await addAccountMark(db, { photo_id: 2, rating: 2, color_label: 'green' })
await addAccountMark(db, { photo_id: 5, color_label: 'blue' })
await addAccountMark(db, { photo_id: 6, rating: 5 })
await addAccountMark(db, { photo_id: 3, user_id: 2, rating: 5, color_label: 'blue' })
await addAccountMark(db, { photo_id: 9, event_id: 2, rating: 5, color_label: 'green' })

const none: MarkFilter = {
  markedOnly: false,
  source: 'either',
  colors: [],
  myColors: [],
  given: [],
  minRating: null,
  myMinRating: null,
  logic: 'AND',
}

async function findMatching(filter: Partial<MarkFilter>): Promise<number[] | null> {
  const matches = await selectPhotosByMarks(db, 1, 1, { ...none, ...filter })?.execute()
  if (!matches) return null
  for (const { photo_id, uploaded_at } of matches) expect(uploaded_at).toBe(1000 + photo_id)
  return matches.map(({ photo_id }) => photo_id).sort((one, other) => one - other)
}

type Case = [filter: Partial<MarkFilter>, ids: number[] | null]

const filterCases: Record<string, Case[]> = {
  'no filter': [
    [{}, null],
    [{ logic: 'OR' }, null],
    [{ minRating: 0 }, null],
    [{ source: 'mine' }, null],
  ],
  'the marks of guests': [
    [{ colors: ['red'] }, [1]],
    [{ colors: ['red', 'blue'] }, [1, 2]],
    [{ colors: ['purple'] }, []],
    [{ minRating: 3.5 }, [1]],
    [{ minRating: 3.51 }, []],
    [{ minRating: 1.1 }, [1, 3]],
    [{ minRating: 1.11 }, [1]],
    [{ given: ['like'] }, [1]],
    [{ given: ['favorite'] }, [3]],
    [{ given: ['comment'] }, [4]],
    [{ given: ['like', 'favorite'] }, []],
    [{ given: ['like', 'favorite'], logic: 'OR' }, [1, 3]],
    [{ colors: ['red'], minRating: 1 }, [1]],
    [{ colors: ['green'], minRating: 1 }, []],
    [{ colors: ['green'], minRating: 1, logic: 'OR' }, [1, 2, 3]],
  ],
  'the marks of the account': [
    [{ myColors: ['blue'] }, [5]],
    [{ myColors: ['blue', 'green'] }, [2, 5]],
    [{ myMinRating: 2 }, [1, 2, 6]],
    [{ myMinRating: 2.5 }, [1, 6]],
    [{ myMinRating: 5 }, [6]],
    [{ myColors: ['green'], myMinRating: 3 }, []],
    [{ myColors: ['green'], myMinRating: 3, logic: 'OR' }, [1, 2, 6]],
  ],
  'both sides': [
    [{ colors: ['red'], myMinRating: 2 }, [1]],
    [{ colors: ['red'], myColors: ['blue'] }, []],
    [{ given: ['like'], myMinRating: 2 }, [1]],
    [{ colors: ['red'], myColors: ['blue'], logic: 'OR' }, [1, 5]],
  ],
  marked_only: [
    [{ markedOnly: true, source: 'client' }, [1, 2, 3]],
    [{ markedOnly: true, source: 'mine' }, [1, 2, 5, 6]],
    [{ markedOnly: true }, [1, 2, 3, 5, 6]],
    [{ markedOnly: true, minRating: 0 }, [1, 2, 3, 5, 6]],
    [{ markedOnly: true, logic: 'OR' }, [1, 2, 3, 5, 6]],
    [{ markedOnly: true, source: 'client', myMinRating: 2 }, [1, 2]],
    [{ markedOnly: true, source: 'mine', minRating: 1 }, [1]],
    [{ markedOnly: true, source: 'mine', myMinRating: 5 }, [6]],
    [{ markedOnly: true, source: 'client', colors: ['red'] }, [1]],
    [{ markedOnly: true, source: 'client', colors: ['red'], logic: 'OR' }, [1, 2, 3]],
    [{ markedOnly: true, source: 'mine', colors: ['red'], logic: 'OR' }, [1, 2, 5, 6]],
  ],
  'marked_only of either side beside another filter': [
    [{ markedOnly: true, colors: ['red'] }, [1]],
    [{ markedOnly: true, colors: ['red'], logic: 'OR' }, [1, 2, 3, 5, 6]],
    [{ markedOnly: true, minRating: 1 }, [1, 3]],
    [{ markedOnly: true, myMinRating: 2 }, [1, 2, 6]],
    [{ markedOnly: true, myColors: ['blue'] }, [5]],
    [{ markedOnly: true, colors: ['green'], myColors: ['green'] }, [2]],
    [{ markedOnly: true, colors: ['red'], myColors: ['green'] }, []],
    [{ markedOnly: true, colors: ['red'], myMinRating: 2 }, [1]],
    [{ markedOnly: true, minRating: 1, myColors: ['green'] }, []],
    [{ markedOnly: true, minRating: 1, myMinRating: 2 }, [1]],
  ],
}

describe.each(Object.entries(filterCases))('%s', (_name, cases) => {
  test.each(cases)('%o selects %o', async (filter, ids) => {
    expect(await findMatching(filter)).toEqual(ids)
    expect(hasMarkFilters({ ...none, ...filter })).toBe(ids !== null)
  })
})
