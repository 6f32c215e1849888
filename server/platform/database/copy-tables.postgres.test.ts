import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createEmptyPostgresDatabase } from '../../../tests/support/database/empty-postgres.ts'
import { rowsOf } from '../../../tests/support/database/fill-database.ts'
import {
  closeWithTest,
  createFilledDatabase,
  createMigratedDatabase,
} from '../../../tests/support/database/filled-database.ts'
import { migrations } from '../../migrations/migrations.ts'
import { copyTables, emptyTables } from './copy-tables.ts'
import { openDatabase } from './open-database.ts'
import { untyped } from './table-pages.ts'
import { describeTables } from './table-shapes.ts'
import type { Database } from './tables.ts'
import { inSnapshot } from './transaction.ts'

async function inPostgres(): Promise<Database> {
  return closeWithTest(await openDatabase({ url: await createEmptyPostgresDatabase() }, migrations))
}

function inFile(file: string, query: string): unknown[] {
  const sqlite = new Sqlite(file)
  try {
    return sqlite.prepare(query).all()
  } finally {
    sqlite.close()
  }
}

test('a copy has every row with its id, from SQLite to PostgreSQL and back, and does not reuse ids of deleted rows', async () => {
  const source = await createFilledDatabase()
  const postgres = await inPostgres()
  await emptyTables(postgres)
  const there = await copyTables(source.db, postgres)
  expect(there.map(({ rows }) => rows)).toEqual(there.map(({ name }) => rowsOf(name)))

  const back = await createMigratedDatabase()
  await emptyTables(back.db)
  expect(await inSnapshot(postgres, (tx) => copyTables(tx, back.db))).toEqual(there)
  expect(inFile(back.file, 'pragma foreign_key_check')).toEqual([])
  for (const { name } of there) {
    const ordered = `select * from "${name}" order by 1, 2`
    expect(inFile(back.file, ordered)).toEqual(inFile(source.file, ordered))
  }
  const values = {
    ...{ at: 1, action: 'a', outcome: 'b', via: 'c', subject_ids: '[]', count: 1 },
    ...{ user_id: null, token_id: null, address: null, event_id: null, subject: null },
  }
  for (const db of [postgres, back.db]) {
    const insert = untyped(db).insertInto('activity').values(values).returning('id')
    expect(await insert.executeTakeFirst()).toEqual({ id: 1001 })
  }
})

test('both databases list the same tables in dependency order', async () => {
  const shapes = await describeTables((await createMigratedDatabase()).db)
  expect(await describeTables(await inPostgres())).toEqual(shapes)
  const names = shapes.map(({ name }) => name)
  expect(names.indexOf('photos')).toBeGreaterThan(names.indexOf('events'))
  expect(shapes.filter(({ deferredColumns }) => deferredColumns.length > 0)).toHaveLength(2)
})
