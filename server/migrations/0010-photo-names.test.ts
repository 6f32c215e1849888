import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { createNameSortKey as nameSortOf, createSearchText as searchTextOf } from '../photos/photo-names.ts'
import { migrations } from './migrations.ts'

type Named = { filename: string; original_filename: string; source_filename: string }

test('photos that are there already get their columns for search and order by name, every one', async () => {
  const sqlite = new Sqlite(':memory:')
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) })
  sqlite.pragma('foreign_keys = off')
  const all = Object.entries(migrations).sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [name, { up }] of all) {
    if (name >= '0010') break
    await up(db)
  }
  const insert = sqlite.prepare(`insert into photos (
    event_id, filename, original_filename, source_filename, media_type, mime_type, size_bytes, content_hash, crc32,
    auto_categorized, visibility, processing_status, uploaded_at, uploaded_by, updated_at)
    values (1, ?, ?, ?, 'image', 'image/jpeg', 1, '', 0, 0, 'visible', 'ready', 1, 'api', 1)`)
  for (let index = 1; index <= 1_234; index++) insert.run(`${index}.jpg`, `Straße ${index}.JPG`, `IMG_0${index}.jpg`)
  // Ids are not without gaps.
  sqlite.exec('delete from photos where id between 400 and 1100')

  await migrations['0010-photo-names']?.up(db)
  const rows = sqlite.prepare('select * from photos').all() as Array<Named & { name_sort: string; search_text: string }>
  expect(rows).toHaveLength(533)
  for (const row of rows) {
    expect(row.name_sort).toBe(nameSortOf(row.source_filename))
    expect(row.search_text).toBe(searchTextOf(row))
  }
  await db.destroy()
})
