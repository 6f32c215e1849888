import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { rowsOf } from '../../../tests/support/database/fill-database.ts'
import {
  closeWithTest,
  createFilledDatabase,
  createMigratedDatabase,
} from '../../../tests/support/database/filled-database.ts'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { migrations } from '../../migrations/migrations.ts'
import { CopyMismatch, copyTables, emptyTables, SchemaVersionMismatch } from './copy-tables.ts'
import { openDatabase } from './open-database.ts'
import { readPages } from './table-pages.ts'
import { describeTables } from './table-shapes.ts'

test('a copy of all tables continues after an interruption, reports its progress, and is rejected when the source has changed', async () => {
  const source = await createFilledDatabase()
  const target = await createMigratedDatabase()
  await emptyTables(target.db)
  const interrupted = copyTables(source.db, target.db, {
    onProgress({ rows, totalRows }) {
      if (rows > totalRows / 2) throw new Error('killed')
    },
  })
  await expect(interrupted).rejects.toThrow('killed')
  const received: number[] = []
  const copied = await copyTables(source.db, target.db, { onProgress: ({ rows }) => received.push(rows) })
  expect(received.at(-1)).toBe(copied.reduce((sum, { name }) => sum + rowsOf(name), 0))
  expect(received).toEqual(received.toSorted((one, other) => one - other))
  const sqlite = new Sqlite(source.file)
  sqlite.prepare("update users set email = 'other' where id = 7").run()
  sqlite.close()
  await expect(copyTables(source.db, target.db)).rejects.toThrow(
    new CopyMismatch('The copy differs from its source in: users'),
  )
})

test('a copy of all tables is rejected for a target with other rows or of another version', async () => {
  const source = await createFilledDatabase()
  const target = await createMigratedDatabase()
  await expect(copyTables(source.db, target.db)).rejects.toThrow()
  const file = join(await temporaryFolder(), 'older.db')
  const [first = ''] = Object.keys(migrations)
  const older = closeWithTest(await openDatabase({ file }, { [first]: migrations[first] as never }))
  await expect(copyTables(source.db, older)).rejects.toThrow(SchemaVersionMismatch)
})

test('a copy of all tables leaves out excluded tables', async () => {
  const source = await createFilledDatabase()
  const target = await createMigratedDatabase()
  await emptyTables(target.db)
  const copied = await copyTables(source.db, target.db, { excludedTables: ['mails'] })
  expect(copied.map(({ name }) => name)).not.toContain('mails')
  expect(await target.db.selectFrom('mails').selectAll().execute()).toEqual([])
})

test('pages of large rows have few rows', { tags: 'nightly' }, async () => {
  const { db, file } = await createFilledDatabase()
  const sqlite = new Sqlite(file)
  sqlite.prepare('update mails set html_body = ?').run('x'.repeat(1_000_000))
  sqlite.close()
  const [mails] = (await describeTables(db)).filter(({ name }) => name === 'mails')
  if (!mails) throw new Error('There are no mails')
  const sizes: number[] = []
  for await (const { rows } of readPages(db, mails)) sizes.push(rows.length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(40)
  expect(sizes.slice(1).every((size) => size <= 2)).toBe(true)
})
