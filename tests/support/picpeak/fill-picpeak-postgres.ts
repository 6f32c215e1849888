import { createEmptyPostgresDatabase } from '../database/empty-postgres.ts'
import { withPostgresClient } from '../database/postgres-databases.ts'
import { type PicPeakRows, picpeakTables } from './picpeak-tables.ts'

/** Stores the rows of an installation as PicPeak does on PostgreSQL. Returns the address of the new database. */
export async function fillPicPeakPostgres(rows: PicPeakRows): Promise<string> {
  const url = await createEmptyPostgresDatabase()
  await withPostgresClient(url, async (client) => {
    for (const [table, columns] of Object.entries(picpeakTables)) {
      await client.query(`create table ${table} (${columns.replaceAll('timestamp', 'timestamptz')})`)
      const types = new Map(columns.split(',').map((column) => column.trim().split(/\s+/) as [string, string]))
      for (const row of rows[table] ?? []) {
        const names = Object.keys(row)
        const values = Object.entries(row).map(([name, value]) => toPostgres(value, types.get(name)))
        await client.query(`insert into ${table} (${names}) values (${names.map((_, i) => `$${i + 1}`)})`, values)
      }
    }
  })
  return url
}

function toPostgres(value: string | number | null, type: string | undefined): unknown {
  if (value === null) return null
  if (type === 'boolean') return value === 1
  if (type === 'timestamp') return typeof value === 'number' ? new Date(value) : `${value.replace(/Z$/, '')}Z`
  return value
}
