import { expect, test } from 'vitest'
import type { SnapshotPhoto } from '../../../contract/gallery/rounds.ts'
import { compareSelections } from './compare-selections.ts'

const photo = (id: number, marks: Partial<SnapshotPhoto> = {}): SnapshotPhoto => ({
  id,
  source_filename: `IMG_${id}.CR3`,
  version: 1,
  content_hash: `hash ${id}`,
  rating: null,
  color_label: null,
  is_liked: false,
  ...marks,
})
const selection = (number: number, ...photos: SnapshotPhoto[]) => ({ number, snapshot: { photos } })

test('names added and removed photos, and those with other marks', () => {
  const before = selection(1, photo(1), photo(2, { rating: 3 }), photo(3, { is_liked: true }))
  const after = selection(4, photo(3, { is_liked: true }), photo(2, { rating: 5 }), photo(4, { color_label: 'red' }))
  const none = { rating: null, color_label: null, is_liked: false }
  expect(compareSelections(before, after)).toEqual({
    from: { number: 1, count: 3 },
    to: { number: 4, count: 3 },
    added: [{ id: 4, source_filename: 'IMG_4.CR3', ...none, color_label: 'red' }],
    removed: [{ id: 1, source_filename: 'IMG_1.CR3', ...none }],
    changed: [{ id: 2, source_filename: 'IMG_2.CR3', before: { ...none, rating: 3 }, after: { ...none, rating: 5 } }],
  })
})

test('without an earlier selection, all photos were added', () => {
  const { from, added, removed, changed } = compareSelections(null, selection(1, photo(1), photo(2)))
  expect([from, added.map(({ id }) => id), removed, changed]).toEqual([null, [1, 2], [], []])
})
