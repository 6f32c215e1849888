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
  test('goes on where it was interrupted, and tells how far it is', async () => {
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

  test('is refused when the source has changed since it was begun', async () => {
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

  test('is refused for a target that holds rows of its own', async () => {
    const source = await filledDatabase()
    const target = await newDatabase()
    await expect(copyTables(source.db, target.db)).rejects.toThrow()
  })

  test('is refused between two versions', async () => {
    const source = await filledDatabase()
    const file = join(await temporaryFolder(), 'older.db')
    const [first = ''] = Object.keys(migrations)
    const older = closedWithTest(await openDatabase({ file }, { [first]: migrations[first] as never }))
    await expect(copyTables(source.db, older)).rejects.toThrow(VersionsDiffer)
  })

  test('leaves out the tables that it is told to', async () => {
    const source = await filledDatabase()
    const target = await newDatabase()
    await emptyTables(target.db)
    const copied = await copyTables(source.db, target.db, { without: ['mails'] })
    expect(copied.map(({ name }) => name)).not.toContain('mails')
    expect(await target.db.selectFrom('mails').selectAll().execute()).toEqual([])
  })
})

test('pages of large rows hold few of them', async () => {
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
