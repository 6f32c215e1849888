import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { migrations } from './migrations.ts'

test('photos with marks get the time of the newest one that others see', async () => {
  const sqlite = new Sqlite(':memory:')
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) })
  const names = Object.keys(migrations)
  for (const name of names.slice(0, names.indexOf('0052-marked-times'))) await migrations[name]?.up(db)
  sqlite.pragma('foreign_keys = off')
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

  await migrations['0052-marked-times']?.up(db)
  expect(sqlite.prepare('select photo_id, marked_at from photo_marks').all()).toEqual([
    { photo_id: 1, marked_at: 50 },
    { photo_id: 2, marked_at: null },
  ])
  await db.destroy()
})
