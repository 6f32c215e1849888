import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { registries } from '../../server/registries.ts'
import { contextForTest } from '../support/service/test-context.ts'

const { guestBelongings, photoBelongings, storedFiles } = registries
const namesIn = (registry: ReadonlyArray<{ tables: readonly string[] }>) => registry.flatMap(({ tables }) => tables)

async function listColumns(): Promise<Array<{ table: string; column: string; isForeignKey: boolean }>> {
  const { db } = await contextForTest()
  const { rows } = await sql<{ table: string; column: string; deletion: string | null }>`
    select tables.name as "table", columns.name as "column", keys.on_delete as deletion
    from sqlite_schema as tables join pragma_table_info(tables.name) as columns
    left join pragma_foreign_key_list(tables.name) as keys on keys."from" = columns.name
    where tables.type = 'table'`.execute(db)
  return rows.map(({ table, column, deletion }) => ({
    table,
    column,
    isForeignKey: deletion === 'CASCADE' || deletion === 'SET NULL',
  }))
}

test('every table with a guest, a photo or a stored file is in its registry', async () => {
  const columns = await listColumns()
  const tablesWith = (pattern: RegExp, exempt: string[] = []) =>
    [...new Set(columns.filter(({ column }) => pattern.test(column)).map(({ table }) => table))].filter(
      (table) => !exempt.includes(table),
    )

  expect(namesIn(guestBelongings)).toEqual(expect.arrayContaining(tablesWith(/^guest_id$/)))

  // Live events are deleted after a day.
  const withPhoto = columns.filter(({ column, isForeignKey }) => column === 'photo_id' && !isForeignKey)
  expect(withPhoto.map(({ table }) => table).filter((table) => table !== 'live_events')).toEqual(
    namesIn(photoBelongings),
  )

  // Chunked uploads have the name at the client; files of replaced photos are retired. The others are not names of
  // files.
  const exempt = ['chunked_uploads', 'replaced_files', 'rate_counts']
  expect(namesIn(storedFiles).toSorted()).toEqual(tablesWith(/^(filename|key)$/, exempt).toSorted())
})
