import { expect, test } from 'vitest'
import type { UploadState } from '../../shared/uploads/upload-entries.ts'
import {
  createEntries,
  createReport,
  findLeaving,
  getCategoryDepth,
  getCategoryFolder,
  sortForDisplay,
  type UploadEntry,
} from './upload-entries.ts'

const file = (name: string, size = 1000) => ({ name, size, type: 'image/jpeg', lastModified: 1 })
const found = (...paths: string[]) => paths.map((path) => ({ file: file(path.split('/').at(-1) ?? ''), path }))
const entryOptions = { eventId: 1, keepsVersions: false, categoryOf: () => null, findLeftOut: () => null, nextId: 0 }

let lastId = 0
const entry = (state: UploadState, changes: Partial<UploadEntry> = {}): UploadEntry => {
  const id = lastId++
  const own = { id, eventId: 1, key: `${id}`, name: `${id}.jpg`, path: `${id}.jpg`, size: 100, category: null }
  return {
    ...own,
    keepsVersions: false,
    state,
    sentBytes: 0,
    reason: null,
    why: null,
    replaces: null,
    filename: null,
    endNumber: 0,
    ...changes,
  }
}

test('adds a file once per event, and again only after it was canceled', () => {
  const first = createEntries({ ...entryOptions, files: found('a.jpg', 'b.jpg', 'x/a.jpg') }, [])
  expect(first.created.map(({ entry }) => entry.path)).toEqual(['a.jpg', 'b.jpg'])
  expect(first.repeated).toEqual([{ path: 'x/a.jpg', sameAs: null }])
  const before = first.created.map(({ entry }) => entry)
  for (const one of before) if (one.name === 'b.jpg') one.state = 'cancelled'
  const second = createEntries({ ...entryOptions, files: found('a.jpg', 'b.jpg', 'c.jpg'), nextId: 2 }, before)
  expect(second.created.map(({ entry }) => [entry.id, entry.name])).toEqual([
    [2, 'b.jpg'],
    [3, 'c.jpg'],
  ])
  const elsewhere = createEntries({ ...entryOptions, eventId: 2, files: found('a.jpg') }, before)
  expect([elsewhere.created.length, elsewhere.repeated]).toEqual([1, []])
})

test('when all uploads have ended, only failed files that are not chosen again stay in the next report', () => {
  const ended = (['added', 'known', 'leftOut', 'cancelled', 'rejected', 'failed'] as const).map((state) => entry(state))
  const again = [entry('failed', { key: 'again' }), entry('added', { path: 'x/again.jpg' })]
  const chosen = { keys: new Set(['again', 'new']), paths: new Set(['x/again.jpg']) }
  const list = [...ended, ...again]
  expect(findLeaving(list, chosen)).toEqual({ leaving: [...ended.slice(0, 4), ...again], isNewReport: true })
  for (const state of ['asked', 'sending'] as const) {
    const active = entry(state, { key: 'again' })
    expect(findLeaving([...list, active], chosen)).toEqual({ leaving: again, isNewReport: false })
  }
})

test('marks skipped files as left out from the start', () => {
  const findLeftOut = ({ name }: { name: string }) =>
    name.endsWith('.jpg') ? null : { reason: 'large' as const, why: 'Larger than 1 MB.' }
  const { created } = createEntries({ ...entryOptions, findLeftOut, files: found('a.tiff', 'b.jpg') }, [])
  expect(created.map(({ entry }) => [entry.state, entry.reason, entry.why])).toEqual([
    ['leftOut', 'large', 'Larger than 1 MB.'],
    ['waiting', null, null],
  ])
})

test('sorts active files first, then waiting ones, then the latest finished ones', () => {
  const early = entry('added', { endNumber: 1 })
  const waiting = entry('waiting')
  const moving = entry('sending')
  const late = entry('known', { endNumber: 2 })
  expect(sortForDisplay([early, waiting, moving, late])).toEqual([moving, waiting, late, early])
})

test('counts only confirmed files as added, and groups the others by reason with failures first', () => {
  const report = createReport([
    entry('added', { path: 'new.jpg' }),
    entry('added', { replaces: 7, filename: '7.jpg' }),
    entry('failed', { replaces: 8, reason: 'other', path: 'a/late.jpg', why: 'Odd.' }),
    entry('known'),
    entry('known'),
    entry('finishing', { sentBytes: 100 }),
    entry('cancelled'),
    entry('leftOut', { reason: 'type', path: 'raw/1.cr3' }),
    entry('leftOut', { reason: 'type', path: 'raw/2.cr3' }),
    entry('rejected', { reason: 'damaged', path: 'a/1.jpg' }),
    entry('rejected', { reason: 'damaged', path: 'b/1.jpg' }),
  ])
  expect(report).toEqual({
    added: 1,
    replaced: [{ id: 7, filename: '7.jpg' }],
    keepsVersions: false,
    known: 2,
    failed: 3,
    retryable: 1,
    leftOut: 2,
    cancelled: 1,
    groups: [
      { reason: 'damaged', why: null, isLeftOut: false, paths: ['a/1.jpg', 'b/1.jpg'] },
      { reason: 'other', why: 'Odd.', isLeftOut: false, paths: ['a/late.jpg'] },
      { reason: 'type', why: null, isLeftOut: true, paths: ['raw/1.cr3', 'raw/2.cr3'] },
    ],
  })
})

test('takes the category from the folder below the dropped one, or from one of several dropped folders', () => {
  const one = ['Wedding/Church/1.jpg', 'Wedding/Church/candles/2.jpg', 'Wedding/3.jpg']
  expect(one.map((path) => getCategoryFolder(path, getCategoryDepth(one)))).toEqual(['Church', 'Church', null])
  const several = ['Church/1.jpg', 'Party/2.jpg', '3.jpg']
  expect(several.map((path) => getCategoryFolder(path, getCategoryDepth(several)))).toEqual(['Church', 'Party', null])
  const plain = ['Finals/1.jpg', 'Finals/2.jpg']
  expect(plain.map((path) => getCategoryFolder(path, getCategoryDepth(plain)))).toEqual(['Finals', 'Finals'])
})
