import { expect, test } from 'vitest'
import type { UploadReason } from '../../shared/uploads/upload-file-rules.ts'
import { computeTotals, createEntries, createReport, type UploadEntry, type UploadState } from './upload-entries.ts'

const file = (name: string, size = 1000) => ({ name, size, type: 'image/jpeg', lastModified: 1 })

let lastId = 0
const entry = (state: UploadState, changes: Partial<UploadEntry> = {}): UploadEntry => {
  const id = lastId++
  return {
    id,
    key: `${id}`,
    name: `${id}.jpg`,
    size: 100,
    state,
    sentBytes: 0,
    reason: null,
    isHidden: false,
    ...changes,
  }
}
const createUnsent = (state: 'rejected' | 'failed', reason: UploadReason, name: string) =>
  entry(state, { reason, name })

test('adds a file chosen twice only once, but accepts a canceled one again', () => {
  const first = createEntries([file('a.jpg'), file('b.jpg'), file('a.jpg')], [])
  expect(first.fresh.map(({ entry }) => entry.name)).toEqual(['a.jpg', 'b.jpg'])
  expect(first.repeated).toBe(1)
  const [a, b] = first.fresh.map(({ entry }) => entry)
  if (!a || !b) throw new Error('There are two')
  const second = createEntries([file('a.jpg'), file('b.jpg'), file('c.jpg')], [a, { ...b, state: 'cancelled' }])
  expect(second.fresh.map(({ entry }) => [entry.id, entry.name])).toEqual([
    [2, 'b.jpg'],
    [3, 'c.jpg'],
  ])
  expect(second.repeated).toBe(1)
})

test('rejects unsupported files at once', () => {
  const { fresh } = createEntries([file('a.heic'), file('b.jpg', 0), file('c.jpg')], [])
  expect(fresh.map(({ entry }) => [entry.state, entry.reason])).toEqual([
    ['rejected', 'heic'],
    ['rejected', 'empty'],
    ['waiting', null],
  ])
})

test('excludes files that will not arrive from the totals and counts received files in full', () => {
  const entries = [
    entry('added'),
    entry('sending', { sentBytes: 40 }),
    entry('finishing', { sentBytes: 100 }),
    entry('waiting'),
    createUnsent('rejected', 'heic', 'x.heic'),
    createUnsent('failed', 'storage', 'y.jpg'),
    entry('cancelled', { sentBytes: 70 }),
  ]
  expect(computeTotals(entries)).toEqual({ files: 4, added: 1, bytes: 400, sentBytes: 240, isInProgress: true })
  expect(computeTotals([entry('added'), createUnsent('failed', 'other', 'z.jpg')]).isInProgress).toBe(false)
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
