import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { closedWithTest, filledDatabase, newDatabase } from '../../../tests/support/filled-database.ts'
import { temporaryFolder } from '../../../tests/support/temporary-folder.ts'
import { migrations } from '../../migrations/migrations.ts'
import { CopyDiffers, copyTables, emptyTables, VersionsDiffer } from './copy-tables.ts'
import { openDatabase } from './open-database.ts'
import { pagesOf } from './table-pages.ts'
import { describeTables } from './table-shapes.ts'

describe('a copy of all tables', () => {
  test('continues after an interruption and reports its progress', async () => {
    const source = await filledDatabase()
    const target = await newDatabase()
    await emptyTables(target.db)
    const interrupted = copyTables(source.db, target.db, {
      onProgress({ rows, totalRows }) {
        if (rows > totalRows / 2) throw new Error('killed')
      },
    })
    await expect(interrupted).rejects.toThrow('killed')
    const told: number[] = []
    const { length } = await copyTables(source.db, target.db, { onProgress: ({ rows }) => told.push(rows) })
    expect(told.at(-1)).toBe(length * 40)
    expect(told).toEqual(told.toSorted((one, other) => one - other))
  })

  test('is rejected when the source has changed', async () => {
    const source = await filledDatabase()
    const target = await newDatabase()
    await emptyTables(target.db)
    await copyTables(source.db, target.db)
    const sqlite = new Sqlite(source.file)
    sqlite.prepare("update users set email = 'other' where id = 7").run()
    sqlite.close()
    await expect(copyTables(source.db, target.db)).rejects.toThrow(
      new CopyDiffers('The copy differs from its source in: users'),
    )
  })

  test('is rejected for a target with other rows', async () => {
    const source = await filledDatabase()
    const target = await newDatabase()
    await expect(copyTables(source.db, target.db)).rejects.toThrow()
  })

  test('is rejected between two versions', async () => {
    const source = await filledDatabase()
    const file = join(await temporaryFolder(), 'older.db')
    const [first = ''] = Object.keys(migrations)
    const older = closedWithTest(await openDatabase({ file }, { [first]: migrations[first] as never }))
    await expect(copyTables(source.db, older)).rejects.toThrow(VersionsDiffer)
  })

  test('leaves out excluded tables', async () => {
    const source = await filledDatabase()
    const target = await newDatabase()
    await emptyTables(target.db)
    const copied = await copyTables(source.db, target.db, { without: ['mails'] })
    expect(copied.map(({ name }) => name)).not.toContain('mails')
    expect(await target.db.selectFrom('mails').selectAll().execute()).toEqual([])
  })
})

test('pages of large rows have few rows', async () => {
  const { db, file } = await filledDatabase()
  const sqlite = new Sqlite(file)
  sqlite.prepare('update mails set html_body = ?').run('x'.repeat(1_000_000))
  sqlite.close()
  const [mails] = (await describeTables(db)).filter(({ name }) => name === 'mails')
  if (!mails) throw new Error('There are no mails')
  const sizes: number[] = []
  for await (const { rows } of pagesOf(db, mails)) sizes.push(rows.length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(40)
  expect(sizes.slice(1).every((size) => size <= 2)).toBe(true)
})
