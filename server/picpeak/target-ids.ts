import { sql } from 'kysely'
import type { Database, Tx } from '../platform/database/tables.ts'
import { inTransaction, isPostgres } from '../platform/database/transaction.ts'
import type { MovedRows } from './moved-rows.ts'
import type { PicPeakSource } from './picpeak-source.ts'
import { toWhole } from './source/source-values.ts'

/** A greater id in a source would leave too few ids for the rows that come later. */
const maxKeptId = 2 ** 31 - 1

const sourceTables = { events: 'events', photos: 'photos', categories: 'photo_categories' } as const
type Table = keyof typeof sourceTables
const tables = Object.keys(sourceTables) as Table[]

/** Whether the row here may have the id that it has in the source. The id can still be taken by a row of the source. */
export type KeepsId = (table: Table, id: number) => boolean

/**
 * Reserves the ids of the source. They are kept if they are above the counter of the table at the start of the import:
 * such an id was never used here, so nothing refers to it: no table (trash, deleted events, deliveries, activity,
 * exports), cache, log or other program. New rows get ids above all of these, also while the import is interrupted.
 * Nothing refers to the initial categories of a new instance either.
 */
export async function reserveIds(db: Database, moved: MovedRows, { database }: PicPeakSource): Promise<KeepsId> {
  const recorded = await moved.list('ids')
  const greatest = new Map<Table, number>()
  for (const table of tables) {
    let max = 0
    for await (const row of database.read(sourceTables[table])) {
      const id = toWhole(row.id) ?? 0
      if (id <= maxKeptId) max = Math.max(max, id)
    }
    greatest.set(table, max)
  }
  const before = new Map<Table, number>()
  await inTransaction(db, 'everything', async (tx) => {
    for (const table of tables) {
      const last = recorded.get(table) ?? (table === 'categories' ? 0 : await readCounter(tx, table))
      before.set(table, Number(last))
      await moved.record(tx, 'ids', [[table, last]])
      await raiseCounter(tx, table, greatest.get(table) ?? 0)
    }
  })
  return (table, id) => id > (before.get(table) ?? 0) && id <= (greatest.get(table) ?? 0)
}

const sequenceOf = (table: Table) => sql`pg_get_serial_sequence(${sql.lit(`"${table}"`)}, 'id')::regclass`

/** Returns the greatest id that the table has used, 0 if there was none. */
async function readCounter(tx: Tx, table: Table): Promise<number> {
  const query = isPostgres(tx)
    ? sql<{ last: number | null }>`select pg_sequence_last_value(${sequenceOf(table)}) as last`
    : sql<{ last: number | null }>`select max(seq) as last from sqlite_sequence where name = ${table}`
  const { rows } = await query.execute(tx)
  return Number(rows[0]?.last ?? 0)
}

/** From now on, the table uses only ids above `id`. */
async function raiseCounter(tx: Tx, table: Table, id: number): Promise<void> {
  if (id <= (await readCounter(tx, table))) return
  if (isPostgres(tx)) {
    await sql`select setval(${sequenceOf(table)}, ${sql.lit(id)})`.execute(tx)
    return
  }
  await sql`delete from sqlite_sequence where name = ${table}`.execute(tx)
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${id})`.execute(tx)
}

/** Returns an id that no event has had or will get. */
export async function reserveEventId(db: Database): Promise<number> {
  if (isPostgres(db)) {
    const { rows } = await sql<{ id: number }>`select nextval(${sequenceOf('events')}) as id`.execute(db)
    return Number(rows[0]?.id)
  }
  return inTransaction(db, 'everything', async (tx) => {
    const id = (await readCounter(tx, 'events')) + 1
    await raiseCounter(tx, 'events', id)
    return id
  })
}
