import { DummyDriver, Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { postgresDialect } from './postgres-dialect.ts'

test('no value is in an empty list', () => {
  const db = new Kysely<{ photos: { id: number } }>({ dialect: postgresDialect(new DummyDriver()) })
  const photos = db.selectFrom('photos').select('id')
  expect(photos.where('id', 'in', []).compile().sql).toBe('select "id" from "photos" where false')
  expect(photos.where('id', 'not in', []).compile().sql).toBe('select "id" from "photos" where true')
  expect(photos.where('id', 'in', [7]).compile().sql).toBe('select "id" from "photos" where "id" in ($1)')
})
