import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { migrations } from './migrations.ts'

test('an upload that is under way keeps the file that its chunks are in', async () => {
  const sqlite = new Sqlite(':memory:')
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) })
  const names = Object.keys(migrations)
  for (const name of names.slice(0, names.indexOf('0024-parted-uploads'))) await migrations[name]?.up(db)
  sqlite.pragma('foreign_keys = off')
  sqlite.exec(`insert into chunked_uploads (id, event_id, filename, size_bytes, status, created_at, expires_at)
    values ('ab-cd', 7, 'a.jpg', 1, 'in_progress', 0, 1)`)

  await migrations['0024-parted-uploads']?.up(db)
  expect(sqlite.prepare('select parted_handle, completing_until from chunked_uploads').all()).toEqual([
    { parted_handle: 'events/7/ab-cd', completing_until: 0 },
  ])
  await db.destroy()
})
