import { sql } from 'kysely'
import type { Database } from './tables.ts'
import { isPostgres } from './transaction.ts'
import { unfinishedCopyTable } from './unfinished-copy.ts'

export type TableShape = {
  name: string
  /** Sorted by name, so that both kinds of database give the same order. */
  columns: string[]
  key: string[]
  /** Nullable columns that refer to rows which are inserted later. */
  lateColumns: string[]
  /** The column that the database numbers itself, if any. */
  countedColumn: string | null
}

type ColumnFacts = {
  table: string
  column: string
  key_position: number
  is_nullable: number
  is_counted: number
  refers_to: string | null
}

/** Returns all tables except those of migrations and copies, each after the tables that it refers to. */
export async function describeTables(db: Database): Promise<TableShape[]> {
  const query = isPostgres(db) ? columnsInPostgres : columnsInSqlite
  const { rows } = await query.execute(db)
  const facts = rows.filter(({ table }) => !table.startsWith('kysely_') && table !== unfinishedCopyTable)
  const tables = Map.groupBy(facts, ({ table }) => table)
  return inOrder(tables).map(({ name, lateColumns }) => shapeOf(name, tables.get(name) ?? [], lateColumns))
}

function shapeOf(name: string, facts: ColumnFacts[], lateColumns: string[]): TableShape {
  const ofKey = facts.filter(({ key_position }) => key_position > 0)
  if (ofKey.length === 0) throw new Error(`The table ${name} has no primary key`)
  return {
    name,
    columns: facts.map(({ column }) => column).sort(),
    key: ofKey.sort((one, other) => one.key_position - other.key_position).map(({ column }) => column),
    lateColumns,
    countedColumn: facts.find(({ is_counted }) => is_counted)?.column ?? null,
  }
}

/** When tables refer to each other in a circle, nullable references are filled later. */
function inOrder(tables: Map<string, ColumnFacts[]>): Array<{ name: string; lateColumns: string[] }> {
  const placed = new Map<string, string[]>()
  const waiting = new Map(tables)
  const isAhead = ({ refers_to }: ColumnFacts) => refers_to !== null && !placed.has(refers_to)
  while (waiting.size > 0) {
    const names = [...waiting.keys()]
    const aheadOf = (name: string) => (waiting.get(name) ?? []).filter(isAhead)
    const isReady = (name: string) => aheadOf(name).every(({ refers_to }) => refers_to === name)
    const mayBegin = (name: string) => aheadOf(name).every(({ is_nullable }) => is_nullable)
    const next = names.find(isReady) ?? names.find(mayBegin)
    if (next === undefined) throw new Error(`Rows of these tables need each other: ${names.join(', ')}`)
    placed.set(
      next,
      aheadOf(next).map(({ column }) => column),
    )
    waiting.delete(next)
  }
  return [...placed].map(([name, lateColumns]) => ({ name, lateColumns }))
}

const columnsInSqlite = sql<ColumnFacts>`
  select t.name as "table", c.name as "column", c.pk as key_position, c."notnull" = 0 and c.pk = 0 as is_nullable,
    c.pk = 1 and lower(t.sql) like '%autoincrement%' as is_counted, f."table" as refers_to
  from sqlite_master as t join pragma_table_info(t.name) as c
    left join pragma_foreign_key_list(t.name) as f on f."from" = c.name
  where t.type = 'table' and substr(t.name, 1, 7) <> 'sqlite_'
  order by t.name, c.cid`

const columnsInPostgres = sql<ColumnFacts>`
  select t.relname as "table", c.attname as "column", coalesce(array_position(k.conkey, c.attnum), 0) as key_position,
    not c.attnotnull as is_nullable, c.attidentity <> '' as is_counted, r.relname as refers_to
  from pg_class as t join pg_attribute as c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped
    left join pg_constraint as k on k.conrelid = t.oid and k.contype = 'p'
    left join pg_constraint as f on f.conrelid = t.oid and f.contype = 'f' and c.attnum = any (f.conkey)
    left join pg_class as r on r.oid = f.confrelid
  where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace
  order by t.relname, c.attnum`
