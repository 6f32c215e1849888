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
  deferredColumns: string[]
  /** The column for which the database generates an id; null if there is none. */
  identityColumn: string | null
}

type ColumnFacts = {
  table: string
  column: string
  key_position: number
  is_nullable: number
  is_counted: number
  refers_to: string | null
}

/**
 * Returns all tables except those of Kysely and `unfinished_copy`. Each table follows the tables that it refers to,
 * except for references in `deferredColumns`.
 */
export async function describeTables(db: Database): Promise<TableShape[]> {
  const query = isPostgres(db) ? columnsInPostgres : columnsInSqlite
  const { rows } = await query.execute(db)
  const columnFacts = rows.filter(({ table }) => !table.startsWith('kysely_') && table !== unfinishedCopyTable)
  const tables = Map.groupBy(columnFacts, ({ table }) => table)
  return sortByReferences(tables).map(({ name, deferredColumns }) =>
    createShape(name, tables.get(name) ?? [], deferredColumns),
  )
}

function createShape(name: string, columnFacts: ColumnFacts[], deferredColumns: string[]): TableShape {
  const keyColumns = columnFacts.filter(({ key_position }) => key_position > 0)
  if (keyColumns.length === 0) throw new Error(`The table ${name} has no primary key`)
  return {
    name,
    columns: columnFacts.map(({ column }) => column).sort(),
    key: keyColumns.sort((one, other) => one.key_position - other.key_position).map(({ column }) => column),
    deferredColumns,
    identityColumn: columnFacts.find(({ is_counted }) => is_counted)?.column ?? null,
  }
}

/** When tables refer to each other in a circle, nullable references are filled later. */
function sortByReferences(tables: Map<string, ColumnFacts[]>): Array<{ name: string; deferredColumns: string[] }> {
  const sorted = new Map<string, string[]>()
  const remaining = new Map(tables)
  const isUnresolved = ({ refers_to }: ColumnFacts) => refers_to !== null && !sorted.has(refers_to)
  while (remaining.size > 0) {
    const names = [...remaining.keys()]
    const listUnresolved = (name: string) => (remaining.get(name) ?? []).filter(isUnresolved)
    const isReady = (name: string) => listUnresolved(name).every(({ refers_to }) => refers_to === name)
    const canComeFirst = (name: string) => listUnresolved(name).every(({ is_nullable }) => is_nullable)
    const next = names.find(isReady) ?? names.find(canComeFirst)
    if (next === undefined) throw new Error(`These tables reference each other: ${names.join(', ')}`)
    sorted.set(
      next,
      listUnresolved(next).map(({ column }) => column),
    )
    remaining.delete(next)
  }
  return [...sorted].map(([name, deferredColumns]) => ({ name, deferredColumns }))
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
