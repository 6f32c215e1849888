import pg from 'pg'
import { t } from '../../platform/text/command-messages.ts'
import { quoteName, type SourceDatabase, SourceUnusable } from './source-database.ts'
import type { SourceRow } from './source-values.ts'

const rowsPerRead = 1_000

/** Reads one snapshot in a read-only transaction. Throws SourceUnusable if the server cannot be reached. */
export async function openPostgresSource(url: string): Promise<SourceDatabase> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'proofroom import',
    // All values stay text: `source-values.ts` reads them.
    types: { getTypeParser: () => (value: string) => value },
  })
  try {
    await client.connect()
    await client.query('set timezone to utc')
    await client.query('begin isolation level repeatable read read only')
  } catch (error) {
    await client.end().catch(() => undefined)
    throw new SourceUnusable(t('sourceUnreadable', { problem: (error as Error).message }))
  }
  const tables = await readTables(client)

  return {
    tables,
    async *read(table, where) {
      if (where && !tables.get(table)?.has(where.column)) return
      const condition = where ? ` where ${quoteName(where.column)} = $1` : ''
      const order = tables.get(table)?.has('id') ? ' order by id' : ''
      // Readings alternate, and a photo is stored between two rows.
      const cursor = quoteName(`rows_${cursorNumber++}`)
      const query = `declare ${cursor} no scroll cursor for select * from ${quoteName(table)}${condition}${order}`
      await client.query(query, where ? [where.value] : [])
      for (;;) {
        const { rows } = await client.query<SourceRow>(`fetch ${rowsPerRead} from ${cursor}`)
        yield* rows
        if (rows.length < rowsPerRead) break
      }
      await client.query(`close ${cursor}`)
    },
    async count(table) {
      const { rows } = await client.query<{ count: string }>(`select count(*) as count from ${quoteName(table)}`)
      return Number(rows[0]?.count ?? 0)
    },
    close: () => client.end(),
  }
}

let cursorNumber = 0

async function readTables(client: pg.Client): Promise<Map<string, Set<string>>> {
  const { rows } = await client.query<{ table_name: string; column_name: string }>(
    'select table_name, column_name from information_schema.columns where table_schema = any (current_schemas(false))',
  )
  const tables = new Map<string, Set<string>>()
  for (const { table_name: table, column_name: column } of rows) {
    const columns = tables.get(table) ?? new Set()
    tables.set(table, columns.add(column))
  }
  return tables
}
