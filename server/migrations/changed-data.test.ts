import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createNameSortKey as nameSortOf, createSearchText as searchTextOf } from '../photos/photo-names.ts'
import { migrations } from './migrations.ts'

/** Returns a database with all migrations before the named one, and a function that runs that one. */
async function openBefore(name: string) {
  const sqlite = new Sqlite(':memory:')
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) })
  onTestFinished(() => db.destroy())
  const names = Object.keys(migrations).sort()
  for (const earlier of names.slice(0, names.indexOf(name))) await migrations[earlier]?.up(db)
  sqlite.pragma('foreign_keys = off')
  return { sqlite, migrate: async () => migrations[name]?.up(db) }
}

type Named = { filename: string; original_filename: string; source_filename: string }

test('photos that are there already get their columns for search and order by name, every one', async () => {
  const { sqlite, migrate } = await openBefore('0010-photo-names')
  const insert = sqlite.prepare(`insert into photos (
    event_id, filename, original_filename, source_filename, media_type, mime_type, size_bytes, content_hash, crc32,
    auto_categorized, visibility, processing_status, uploaded_at, uploaded_by, updated_at)
    values (1, ?, ?, ?, 'image', 'image/jpeg', 1, '', 0, 0, 'visible', 'ready', 1, 'api', 1)`)
  for (let index = 1; index <= 1_234; index++) insert.run(`${index}.jpg`, `Straße ${index}.JPG`, `IMG_0${index}.jpg`)
  // Ids are not without gaps.
  sqlite.exec('delete from photos where id between 400 and 1100')

  await migrate()
  const rows = sqlite.prepare('select * from photos').all() as Array<Named & { name_sort: string; search_text: string }>
  expect(rows).toHaveLength(533)
  for (const row of rows) {
    expect(row.name_sort).toBe(nameSortOf(row.source_filename))
    expect(row.search_text).toBe(searchTextOf(row))
  }
})

const dayMs = 86_400_000
const day = 20_000

test('what was uploaded and given before stands under its day, and every event has its own', async () => {
  const { sqlite, migrate } = await openBefore('0019-activity')
  const photo =
    sqlite.prepare(`insert into photos (id, event_id, filename, original_filename, source_filename, media_type,
    mime_type, size_bytes, content_hash, crc32, auto_categorized, visibility, processing_status, uploaded_at, uploaded_by,
    updated_at, name_sort, search_text) values (?, ?, ?, 'a', 'a', 'image', 'image/jpeg', ?, 'h', 0, 0, 'visible', 'ready',
    ?, 'api', 0, 'a', 'a')`)
  photo.run(1, 7, 'a', 100, day * dayMs)
  photo.run(2, 7, 'b', 20, (day + 1) * dayMs - 1)
  photo.run(3, 7, 'c', 3, (day + 1) * dayMs)
  photo.run(4, 8, 'd', 5, day * dayMs)
  const mark =
    sqlite.prepare(`insert into feedback (event_id, photo_id, guest_id, kind, is_visible, created_at, updated_at)
    values (7, 1, ?, ?, 1, ?, 0)`)
  for (const kind of ['rating', 'like', 'favorite', 'color_label', 'comment']) mark.run('a', kind, day * dayMs + 5)
  mark.run('b', 'like', (day + 2) * dayMs)

  await migrate()
  const nothing = { views: 0, downloads: 0, ratings: 0, color_labels: 0, likes: 0, favorites: 0, comments: 0 }
  expect(sqlite.prepare('select * from event_days order by event_id, day').all()).toEqual([
    {
      event_id: 7,
      day,
      uploads: 2,
      upload_bytes: 120,
      ...nothing,
      ratings: 1,
      color_labels: 1,
      likes: 1,
      favorites: 1,
      comments: 1,
    },
    { event_id: 7, day: day + 1, uploads: 1, upload_bytes: 3, ...nothing },
    { event_id: 7, day: day + 2, uploads: 0, upload_bytes: 0, ...nothing, likes: 1 },
    { event_id: 8, day, uploads: 1, upload_bytes: 5, ...nothing },
  ])
})

test('an upload that is under way keeps the file that its chunks are in', async () => {
  const { sqlite, migrate } = await openBefore('0024-parted-uploads')
  sqlite.exec(`insert into chunked_uploads (id, event_id, filename, size_bytes, status, created_at, expires_at)
    values ('ab-cd', 7, 'a.jpg', 1, 'in_progress', 0, 1)`)

  await migrate()
  expect(sqlite.prepare('select parted_handle, completing_until from chunked_uploads').all()).toEqual([
    { parted_handle: 'events/7/ab-cd', completing_until: 0 },
  ])
})

test('what was told live before keeps its id and its photo, and ids go on from there', async () => {
  const { sqlite, migrate } = await openBefore('0026-live-guests')
  const add = (photoId: number | null) =>
    sqlite
      .prepare(`insert into live_events (event_id, type, photo_id, data, created_at) values (7, 'photo', ?, '{}', 0)`)
      .run(photoId).lastInsertRowid
  add(11)
  add(12)
  sqlite.exec('delete from live_events where id = 2')

  await migrate()
  expect(sqlite.prepare('select id, event_id, photo_id from live_events').all()).toEqual([
    { id: 1, event_id: 7, photo_id: 11 },
  ])
  expect(add(null)).toBe(3)
})

test('selections keep their guests and numbers, and mails about them get their selections', async () => {
  const { sqlite, migrate } = await openBefore('0036-guest-erasure')
  const select = sqlite.prepare(`insert into selections (event_id, guest_id, number, photo_ids, photo_count, created_at)
    values (?, ?, ?, '[]', 0, ?)`)
  const mail = sqlite.prepare(`insert into mails (kind, event_id, recipient, subject, text_body, html_body, status,
    attempts, created_at) values (?, ?, 'a@example.com', '', '', '', 'sent', 1, ?)`)
  select.run(7, 'ana', 1, 100)
  select.run(8, 'ben', 1, 101)
  select.run(7, 'ana', 2, 200)
  mail.run('selection_submitted', 7, 101)
  mail.run('selection_submitted', 7, 201)
  mail.run('expiry_warning', 7, 300)

  await migrate()
  expect(sqlite.prepare('select guest_id, number from selections order by id').raw().all()).toEqual([
    ['ana', 1],
    ['ben', 1],
    ['ana', 2],
  ])
  expect(() => select.run(7, 'ana', 2, 300)).toThrow('UNIQUE')
  expect(sqlite.prepare('select selection_id from mails order by id').pluck().all()).toEqual([1, 3, null])
})

test('photos with marks get the time of the newest one that others see', async () => {
  const { sqlite, migrate } = await openBefore('0052-marked-times')
  const zeros = Array.from({ length: 13 }, () => 0).join(', ')
  for (const photo of [1, 2]) sqlite.exec(`insert into photo_marks values (${photo}, 7, 0, ${zeros})`)
  const give = sqlite.prepare(
    `insert into feedback (event_id, photo_id, guest_id, kind, is_visible, created_at, updated_at)
       values (7, 1, ?, ?, ?, 0, ?)`,
  )
  give.run('ana', 'rating', 1, 50)
  give.run('ben', 'like', 1, 40)
  give.run('ben', 'rating', 0, 60)
  give.run('ana', 'comment', 1, 70)

  await migrate()
  expect(sqlite.prepare('select photo_id, marked_at from photo_marks').all()).toEqual([
    { photo_id: 1, marked_at: 50 },
    { photo_id: 2, marked_at: null },
  ])
})

test('deliveries of token webhooks get the event that they are about', async () => {
  const { sqlite, migrate } = await openBefore('0054-token-rights')
  const addWebhook = sqlite.prepare(
    `insert into webhooks (id, name, url, events, active, filter, secret, secret_preview, created_at, updated_at, token_id)
       values (?, '', '', '[]', 1, '{}', '', '', 0, 0, ?)`,
  )
  const addDelivery = sqlite.prepare(
    `insert into webhook_deliveries (webhook_id, event_type, envelope_id, envelope, status, created_at)
       values (?, 'event.updated', '', ?, 'pending', 0)`,
  )
  for (const [webhookId, tokenId] of [
    [1, null],
    [2, 5],
  ]) {
    addWebhook.run(webhookId, tokenId)
    addDelivery.run(webhookId, JSON.stringify({ data: { event: { id: 7 } } }))
  }

  await migrate()
  expect(sqlite.prepare('select webhook_id, event_id from webhook_deliveries').all()).toEqual([
    { webhook_id: 1, event_id: null },
    { webhook_id: 2, event_id: 7 },
  ])
})

/** Other required columns get random texts. */
function insertRow(sqlite: Sqlite.Database, table: string, values: Record<string, number>): void {
  const columns = sqlite.pragma(`table_info(${table})`) as { name: string; notnull: number; dflt_value: unknown }[]
  const required = columns
    .filter(({ name, notnull, dflt_value }) => notnull === 1 && dflt_value === null && !(name in values))
    .map(({ name }) => name)
  sqlite.exec(`insert into ${table} (${[...Object.keys(values), ...required]})
    values (${[...Object.values(values), ...required.map(() => 'lower(hex(randomblob(9)))')]})`)
}

test('notes become threads with their ids, and each comment gets one, settled where the gallery has closed', async () => {
  const { sqlite, migrate } = await openBefore('0063-threads')
  insertRow(sqlite, 'events', { id: 1, is_archived: 0, expires_at: 8e15 })
  insertRow(sqlite, 'events', { id: 2, is_archived: 1, expires_at: 8e15 })
  const note = sqlite.prepare(`insert into guest_notes (id, event_id, photo_id, trashed_photo_id, guest_id, note_text,
    created_at, done_at, done_by) values (?, ?, ?, ?, 'ana', ?, 5, ?, null)`)
  note.run(7, 1, 3, null, 'Brighter', null)
  insertRow(sqlite, 'trashed_photos', { id: 4, event_id: 1 })
  note.run(9, 1, null, 4, 'In the trash', 6)
  note.run(10, 1, null, 5, 'Of a photo that is gone', null)
  note.run(11, 1, null, null, 'Deleted', null)
  sqlite.exec('delete from guest_notes where id = 11')
  const columns = 'id, event_id, photo_id, guest_id, kind, comment_text, is_visible, created_at, updated_at'
  for (const [table, id, eventId, kind] of [
    ['feedback', 1, 1, 'comment'],
    ['feedback', 2, 1, 'like'],
    ['feedback', 3, 2, 'comment'],
    ['trashed_feedback', 4, 1, 'comment'],
  ]) {
    sqlite
      .prepare(`insert into ${table} (${columns}) values (?, ?, 3, 'ben', ?, 'Hm', 1, ?, 5)`)
      .run(id, eventId, kind, id === 1 ? 9 : 5)
  }

  await migrate()
  const rows = sqlite.prepare(`select id, event_id, photo_id, kind, feedback_id, text, settled_at is not null as is_done
    from threads order by id`)
  const ofComment = { kind: 'comment', photo_id: 3, text: null }
  expect(rows.all()).toEqual([
    { id: 7, event_id: 1, photo_id: 3, kind: 'note', feedback_id: null, text: 'Brighter', is_done: 0 },
    { id: 9, event_id: 1, photo_id: 4, kind: 'note', feedback_id: null, text: 'In the trash', is_done: 1 },
    {
      id: 10,
      event_id: 1,
      photo_id: null,
      kind: 'note',
      feedback_id: null,
      text: 'Of a photo that is gone',
      is_done: 0,
    },
    // In the order in which they were written, with ids that no note ever had.
    { ...ofComment, id: 12, event_id: 2, feedback_id: 3, is_done: 1 },
    { ...ofComment, id: 13, event_id: 1, feedback_id: 4, is_done: 0 },
    { ...ofComment, id: 14, event_id: 1, feedback_id: 1, is_done: 0 },
  ])
})
