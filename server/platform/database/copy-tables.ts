import { type SqlBool, sql } from 'kysely'
import { createTableDigest, type Row, readPages, untyped } from './table-pages.ts'
import { describeTables, type TableShape } from './table-shapes.ts'
import type { Database, Tx } from './tables.ts'
import { inTransaction, isPostgres } from './transaction.ts'

export type CopiedTable = { name: string; rows: number; digest: string }

export type CopyOptions = {
  excludedTables?: readonly string[]
  onProgress?: (progress: { table: string; rows: number; totalRows: number }) => void
}

export class CopyMismatch extends Error {}

export class SchemaVersionMismatch extends Error {}

/**
 * Copies the rows of all tables except `excludedTables` with their ids, then reads the target back and compares the
 * rows. Both databases must have the same migrations. The target must be empty (see `emptyTables`) or contain an
 * interrupted copy of the same rows, which is continued. Throws CopyMismatch and SchemaVersionMismatch.
 */
export async function copyTables(
  source: Database,
  target: Database,
  { excludedTables = [], onProgress = () => undefined }: CopyOptions = {},
): Promise<CopiedTable[]> {
  const tables = (await listCommonTables(source, target)).filter(({ name }) => !excludedTables.includes(name))
  let totalRows = 0
  for (const { name } of tables) totalRows += await countRows(source, name)
  let rows = 0
  const copied: CopiedTable[] = []
  for (const table of tables) {
    const onRows = (more: number) => {
      rows += more
      onProgress({ table: table.name, rows, totalRows })
    }
    copied.push(await copyTable(source, target, table, onRows))
  }
  for (const table of tables) await fillDeferredColumns(source, target, table)
  await setCounters(target, tables, await readCounters(source, tables))

  const differing = []
  for (const [index, table] of tables.entries()) {
    if ((await digestTable(target, table)).digest !== copied[index]?.digest) differing.push(table.name)
  }
  if (differing.length > 0) throw new CopyMismatch(`The copy differs from its source in: ${differing.join(', ')}`)
  return copied
}

/** Deletes all rows of all tables, because migrations insert rows into a new database. */
export async function emptyTables(db: Database): Promise<void> {
  const tables = await describeTables(db)
  await inTransaction(db, 'everything', async (tx) => {
    if (isPostgres(tx)) {
      const names = tables.map(({ name }) => sql.table(name))
      await sql`truncate table ${sql.join(names)}`.execute(tx)
      return
    }
    for (const { name, deferredColumns } of tables) {
      const nullValues = Object.fromEntries(deferredColumns.map((column) => [column, null]))
      if (deferredColumns.length > 0) await untyped(tx).updateTable(name).set(nullValues).execute()
    }
    for (const { name } of tables.toReversed()) await untyped(tx).deleteFrom(name).execute()
  })
}

async function listCommonTables(source: Database, target: Database): Promise<TableShape[]> {
  if ((await readMigrationNames(source)) !== (await readMigrationNames(target))) {
    throw new SchemaVersionMismatch('The two databases have different schema versions')
  }
  const names = new Set((await describeTables(source)).map(({ name }) => name))
  return (await describeTables(target)).filter(({ name }) => names.has(name))
}

async function readMigrationNames(db: Database): Promise<string> {
  const rows = await untyped(db).selectFrom('kysely_migration').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name).join()
}

async function copyTable(
  source: Database,
  target: Database,
  table: TableShape,
  onRows: (rows: number) => void,
): Promise<CopiedTable> {
  const digest = createTableDigest()
  // Rows are copied in key order, so the rows that an interrupted copy left are the first rows of the source.
  let existingRows = await countRows(target, table.name)
  for await (const { rows, texts } of readPages(source, table)) {
    digest.update(texts)
    const missing = rows.slice(existingRows)
    existingRows -= rows.length - missing.length
    if (missing.length > 0) await inTransaction(target, 'everything', (tx) => insertRows(tx, table, missing))
    onRows(rows.length)
  }
  return { name: table.name, ...digest.finish() }
}

/** Databases limit the number of values in a statement. */
const maxValuesPerStatement = 2000

async function insertRows(tx: Tx, { name, columns, deferredColumns }: TableShape, rows: Row[]): Promise<void> {
  const nullValues = Object.fromEntries(deferredColumns.map((column) => [column, null]))
  const rowsPerStatement = Math.max(1, Math.floor(maxValuesPerStatement / columns.length))
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const batch = rows.slice(start, start + rowsPerStatement).map((row) => ({ ...row, ...nullValues }))
    await untyped(tx).insertInto(name).values(batch).execute()
  }
}

async function fillDeferredColumns(source: Database, target: Database, table: TableShape): Promise<void> {
  const { name, key, deferredColumns } = table
  if (deferredColumns.length === 0) return
  const isFilled = deferredColumns.map((column) => sql`${sql.ref(column)} is not null`)
  for await (const { rows } of readPages(source, table, sql<SqlBool>`(${sql.join(isFilled, sql` or `)})`)) {
    await inTransaction(target, 'everything', async (tx) => {
      for (const row of rows) {
        let update = untyped(tx).updateTable(name).set(pickColumns(row, deferredColumns))
        for (const column of key) update = update.where(column, '=', row[column])
        await update.execute()
      }
    })
  }
}

const pickColumns = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column]]))

async function digestTable(db: Database, table: TableShape) {
  const digest = createTableDigest()
  for await (const { texts } of readPages(db, table)) digest.update(texts)
  return digest.finish()
}

async function countRows(db: Database, table: string): Promise<number> {
  const query = untyped(db)
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
  return (await query.executeTakeFirstOrThrow()).count
}

/** Returns the last id that each table has used, even if that row was deleted, because no id may be used twice. */
async function readCounters(db: Database, tables: readonly TableShape[]): Promise<Map<string, number>> {
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

async function setCounters(
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
