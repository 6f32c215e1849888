import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { databaseForTest, readCommittedNotes } from '../../../tests/support/database/test-database.ts'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { copySqlite, openSqliteFile } from './sqlite-file.ts'

test('a copy is a consistent snapshot while others commit', async () => {
  const { db, file } = await databaseForTest()
  const large = Array.from({ length: 60 }, (_, index) => ({ text: `${index} ${randomBytes(50_000).toString('hex')}` }))
  await db.insertInto('notes').values(large).execute()
  const target = join(await temporaryFolder(), 'copy.db')
  let isOver = false
  const copying = copySqlite(file, target).finally(() => {
    isOver = true
  })
  for (let count = 0; !isOver; count++)
    await db
      .insertInto('notes')
      .values({ text: `later ${count}` })
      .execute()
  await copying
  expect(readCommittedNotes(file).length).toBeGreaterThan(large.length)
  expect(readCommittedNotes(target)).toEqual(large.map(({ text }) => text))
  expect(existsSync(`${target}-wal`)).toBe(false)
  const copy = openSqliteFile(target, { readonly: true })
  expect(copy.findDamage()).toEqual([])
  expect([copy.countRows(), copy.migrations()]).toEqual([{ notes: large.length }, ['0001-notes']])
  await copy.close()
})

test('missing references and changed bytes are reported as damage', async () => {
  const file = join(await temporaryFolder(), 'odd.db')
  const sqlite = new Sqlite(file)
  sqlite.pragma('foreign_keys = off')
  sqlite.exec('create table events (id integer primary key)')
  sqlite.exec('create table photos (id integer primary key, event_id integer references events (id), name text)')
  sqlite.exec('create index photos_by_name on photos (name)')
  sqlite.prepare('insert into photos (event_id, name) values (7, ?)').run('a')
  const orphaned = openSqliteFile(file, { readonly: true })
  expect(orphaned.findDamage()).toEqual(['rows of photos refer to rows that do not exist'])
  await orphaned.close()

  sqlite.exec('delete from photos')
  sqlite.unsafeMode()
  sqlite.pragma('writable_schema = on')
  sqlite.exec(`update sqlite_master set rootpage = 2 where name = 'photos_by_name'`)
  sqlite.close()
  const damaged = openSqliteFile(file, { readonly: true })
  expect(damaged.findDamage()).toEqual([expect.stringContaining('2nd reference to page 2')])
  await damaged.close()
})
