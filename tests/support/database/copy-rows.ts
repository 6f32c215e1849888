import type { StoredDatabase } from './stored-database.ts'

/**
 * Returns the ids of the copies. `overrides` has SQL expressions for columns that differ; `n.value` is the number of
 * the copy, from 1.
 */
export function copyRow(
  stored: StoredDatabase,
  table: string,
  id: number | undefined,
  copies: number,
  overrides: Record<string, string>,
): number[] {
  const columns = stored.columns(table).filter((name) => name !== 'id')
  const values = columns.map((name) => overrides[name] ?? `${table}.${name}`)
  const copy = `with recursive n(value) as (select 1 union all select value + 1 from n where value < ${copies})
    insert into ${table} (${columns}) select ${values} from ${table}, n where ${table}.id = ? order by n.value returning id`
  return stored.prepare<[], number>(copy).pluck().all(id)
}
