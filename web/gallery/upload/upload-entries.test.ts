import { expect, test } from 'vitest'
import type { UploadReason } from '../../shared/uploads/upload-file-rules.ts'
import { createEntries, createReport, type GuestUploadState, type UploadEntry } from './upload-entries.ts'

const taken = { takes_videos: false, takes_heic: false, takes_raw: false }
const file = (name: string, size = 1000) => ({ name, size, type: 'image/jpeg', lastModified: 1 })

let lastId = 0
const entry = (state: GuestUploadState, changes: Partial<UploadEntry> = {}): UploadEntry => {
  const id = lastId++
  const own = { id, key: `${id}`, name: `${id}.jpg`, size: 100, reason: null, isHidden: false }
  return { ...own, state, sentBytes: 0, ...changes }
}
const createUnsent = (state: 'rejected' | 'failed', reason: UploadReason, name: string) =>
  entry(state, { reason, name })

test('adds a file that is chosen twice only once, but accepts a canceled file again', () => {
  const first = createEntries([file('a.jpg'), file('b.jpg'), file('a.jpg')], [], taken)
  expect(first.created.map(({ entry }) => entry.name)).toEqual(['a.jpg', 'b.jpg'])
  expect(first.repeated).toBe(1)
  const [a, b] = first.created.map(({ entry }) => entry)
  if (!a || !b) throw new Error('There are two')
  const second = createEntries([file('a.jpg'), file('b.jpg'), file('c.jpg')], [a, { ...b, state: 'cancelled' }], taken)
  expect(second.created.map(({ entry }) => [entry.id, entry.name])).toEqual([
    [2, 'b.jpg'],
    [3, 'c.jpg'],
  ])
  expect(second.repeated).toBe(1)
})

test('rejects unsupported files at once', () => {
  const { created } = createEntries([file('a.heic'), file('b.jpg', 0), file('c.jpg')], [], taken)
  expect(created.map(({ entry }) => [entry.state, entry.reason])).toEqual([
    ['rejected', 'heic'],
    ['rejected', 'empty'],
    ['waiting', null],
  ])
})

test('reports only confirmed files as added and groups the rest by reason', () => {
  const report = createReport([
    entry('added'),
    entry('added', { isHidden: true }),
    entry('finishing', { sentBytes: 100 }),
    createUnsent('failed', 'storage', 'late.jpg'),
    createUnsent('rejected', 'heic', '1.heic'),
    createUnsent('rejected', 'heic', '2.heic'),
  ])
  expect(report).toEqual({
    added: 2,
    hidden: 1,
    rejected: 2,
    failed: 1,
    groups: [
      { reason: 'heic', names: ['1.heic', '2.heic'] },
      { reason: 'storage', names: ['late.jpg'] },
    ],
  })
})
