import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { migrations } from './migrations.ts'

const dayMs = 86_400_000
const day = 20_000

test('what was uploaded and given before stands under its day, and every event has its own', async () => {
  const sqlite = new Sqlite(':memory:')
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) })
  const names = Object.keys(migrations)
  for (const name of names.slice(0, names.indexOf('0019-activity'))) await migrations[name]?.up(db)
  sqlite.pragma('foreign_keys = off')
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

  await migrations['0019-activity']?.up(db)
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
