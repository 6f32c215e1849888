import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { migrations } from './migrations.ts'

test('selections keep their guests and numbers, and mails about them get their selections', async () => {
  const sqlite = new Sqlite(':memory:')
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) })
  const names = Object.keys(migrations)
  for (const name of names.slice(0, names.indexOf('0036-guest-erasure'))) await migrations[name]?.up(db)
  sqlite.pragma('foreign_keys = off')
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

  await migrations['0036-guest-erasure']?.up(db)
  expect(sqlite.prepare('select guest_id, number from selections order by id').raw().all()).toEqual([
    ['ana', 1],
    ['ben', 1],
    ['ana', 2],
  ])
  expect(() => select.run(7, 'ana', 2, 300)).toThrow('UNIQUE')
  expect(sqlite.prepare('select selection_id from mails order by id').pluck().all()).toEqual([1, 3, null])
  await db.destroy()
})
