import { expect, test } from 'vitest'
import { memoryDatabase } from '../../../tests/support/database/memory-database.ts'
import { createSearchText } from '../photo-names.ts'
import { findNames } from './find-names.ts'
import { loadListTotals } from './list-cache.ts'

const { db, sqlite } = await memoryDatabase()
sqlite.exec('insert into event_photo_totals values (1, 0, 0, 0, 1), (2, 0, 0, 0, 1), (3, 0, 0, 0, 1)')
const insert =
  sqlite.prepare(`insert into photos (id, event_id, filename, original_filename, source_filename, media_type, mime_type,
  size_bytes, content_hash, crc32, auto_categorized, visibility, processing_status, uploaded_by, uploaded_at, updated_at,
  name_sort, search_text) values (?, ?, ?, ?, '', 'image', 'image/jpeg', 1, ?, 0, 0, ?, 'ready', 'admin', 1, 1, '', ?)`)

function addPhoto(id: number, eventId: number, name: string, visibility = 'visible'): void {
  insert.run(
    id,
    eventId,
    `stored ${id}`,
    name,
    String(id),
    visibility,
    createSearchText({ filename: 'x', original_filename: name }),
  )
  sqlite.prepare('update event_photo_totals set list_version = list_version + 1 where event_id = ?').run(eventId)
}

const find = async (text: string, { eventId = 1, onlyVisible = false } = {}) =>
  (await findNames(db, eventId, { text, onlyVisible }, await loadListTotals(db, eventId))).ids

test('finds the photos of the event whose names contain the text; does not find digits of ids', async () => {
  const names = ['IMG_0123.jpg', '100%_sure!.jpg', 'Straße.jpg', '77.jpg']
  for (const [index, name] of names.entries()) addPhoto(7770 + index, 1, name, index === 0 ? 'hidden' : 'visible')
  addPhoto(9, 2, 'IMG_0123.jpg')
  expect(await find('img_0')).toEqual([7770])
  expect(await find('img_0', { onlyVisible: true })).toEqual([])
  expect(await find('img_0', { eventId: 2 })).toEqual([9])
  expect(await find('.jpg')).toEqual([7770, 7771, 7772, 7773])
  expect(await find('%_s')).toEqual([7771])
  expect(await find('strasse')).toEqual([7772])
  expect(await find('_')).toEqual([7770, 7771])
  expect(await find('nothing')).toEqual([])
  expect(await find('img', { eventId: 4 })).toEqual([])
  expect(await find('77')).toEqual([7773])
  expect(await find('777')).toEqual([])
})

test('finds photos that were added since the last search', async () => {
  expect(await find('late')).toEqual([])
  addPhoto(8000, 1, 'late.jpg')
  expect(await find('late')).toEqual([8000])
})

test('counts more than a thousand photos without their ids', async () => {
  for (let id = 10_000; id < 11_000; id++) addPhoto(id, 3, 'IMG.jpg')
  expect(await findNames(db, 3, { text: 'img', onlyVisible: false }, await loadListTotals(db, 3))).toMatchObject({
    count: 1_000,
    ids: { length: 1_000 },
  })
  addPhoto(11_000, 3, 'IMG.jpg')
  expect(await findNames(db, 3, { text: 'img', onlyVisible: false }, await loadListTotals(db, 3))).toEqual({
    text: 'img',
    count: 1_001,
    ids: null,
  })
})
