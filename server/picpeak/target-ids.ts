import { sql } from 'kysely'
import type { Database, Tx } from '../platform/database/tables.ts'
import { inTransaction, isPostgres } from '../platform/database/transaction.ts'

const sequenceOf = (table: string) => sql`pg_get_serial_sequence(${sql.lit(`"${table}"`)}, 'id')`

/** Returns an id that no event has had or will get. */
export async function reserveEventId(db: Database): Promise<number> {
  if (isPostgres(db)) {
    const { rows } = await sql<{ id: number }>`select nextval(${sequenceOf('events')}::regclass) as id`.execute(db)
    return Number(rows[0]?.id)
  }
  return inTransaction(db, 'everything', async (tx) => {
    await sql`insert into sqlite_sequence (name, seq) select 'events', 0
      where not exists (select 1 from sqlite_sequence where name = 'events')`.execute(tx)
    await sql`update sqlite_sequence set seq = seq + 1 where name = 'events'`.execute(tx)
    const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = 'events'`.execute(tx)
    return Number(rows[0]?.seq)
  })
}

/** After rows with given ids. SQLite raises its counters itself. */
export async function raiseCounter(tx: Tx, table: 'categories' | 'events' | 'photos'): Promise<void> {
  if (!isPostgres(tx)) return
  await sql`select setval(${sequenceOf(table)}::regclass, greatest((select max(id) from ${sql.table(table)}),
    (select coalesce(pg_sequence_last_value(${sequenceOf(table)}::regclass), 1))))`.execute(tx)
}
