import { sql } from 'kysely'
import type { TableShape } from './table-shapes.ts'
import type { Database, Tx } from './tables.ts'
import { inTransaction, isPostgres } from './transaction.ts'

/** Returns the last id that each table has used, also for deleted rows, because ids are never used twice. */
export async function readCounters(db: Database, tables: readonly TableShape[]): Promise<Map<string, number>> {
  const counters = new Map<string, number>()
  for (const { name, identityColumn } of tables) {
    if (identityColumn === null) continue
    const query = isPostgres(db)
      ? sql<{ last: number | null }>`select pg_sequence_last_value(${serialSequence(name, identityColumn)}) as last`
      : sql<{ last: number }>`select seq as last from sqlite_sequence where name = ${name}`
    const { rows } = await query.execute(db)
    counters.set(name, rows[0]?.last ?? 0)
  }
  return counters
}

export async function setCounters(
  db: Database,
  tables: readonly TableShape[],
  counters: ReadonlyMap<string, number>,
): Promise<void> {
  await inTransaction(db, 'everything', async (tx) => {
    for (const { name, identityColumn } of tables) {
      if (identityColumn !== null) await setCounter(tx, name, identityColumn, counters.get(name) ?? 0)
    }
  })
}

async function setCounter(tx: Tx, table: string, column: string, last: number): Promise<void> {
  if (isPostgres(tx)) {
    await sql`select setval(${serialSequence(table, column)}, ${sql.lit(Math.max(last, 1))}, ${sql.lit(last > 0)})`.execute(
      tx,
    )
    return
  }
  await sql`delete from sqlite_sequence where name = ${table}`.execute(tx)
  if (last > 0) await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(tx)
}

const serialSequence = (table: string, column: string) =>
  sql`pg_get_serial_sequence(${sql.lit(`"${table}"`)}, ${sql.lit(column)})::regclass`
