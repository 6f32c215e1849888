import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { migrations } from './migrations.ts'

test('what was told live before keeps its id and its photo, and ids go on from there', async () => {
  const sqlite = new Sqlite(':memory:')
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) })
  const names = Object.keys(migrations)
  for (const name of names.slice(0, names.indexOf('0026-live-guests'))) await migrations[name]?.up(db)
  sqlite.pragma('foreign_keys = off')
  const add = (photoId: number | null) =>
    sqlite
      .prepare(`insert into live_events (event_id, type, photo_id, data, created_at) values (7, 'photo', ?, '{}', 0)`)
      .run(photoId).lastInsertRowid
  add(11)
  add(12)
  sqlite.exec('delete from live_events where id = 2')

  await migrations['0026-live-guests']?.up(db)
  expect(sqlite.prepare('select id, event_id, photo_id from live_events').all()).toEqual([
    { id: 1, event_id: 7, photo_id: 11 },
  ])
  expect(add(null)).toBe(3)
  await db.destroy()
})
