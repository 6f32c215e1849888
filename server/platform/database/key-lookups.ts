import { LRUCache } from 'lru-cache'
import type { SqliteConnection } from './sqlite-connection.ts'

type PlanStep = { detail: string }

/** SQLite shows the same query plan for a list of keys as for one key. */
const canMatchSeveralKeys = /\b(in|or)\b/i

/**
 * Detects look-ups by key: every step of SQLite's query plan finds one row by rowid or by all columns of a unique
 * index. Such look-ups take microseconds and run on the main thread; all other reads go to the reader thread.
 */
export function createKeyLookups(connection: SqliteConnection) {
  const results = new LRUCache<string, boolean>({ max: 500 })

  function isKeyLookup(sql: string): boolean {
    let result = results.get(sql)
    if (result === undefined) {
      result = !canMatchSeveralKeys.test(sql) && explain(sql).every(findsOneRow)
      results.set(sql, result)
    }
    return result
  }

  function explain(sql: string): PlanStep[] {
    // The plan does not depend on the values.
    const parameters = Array.from(sql.match(/\?/g) ?? [], () => null)
    return connection.run(`explain query plan ${sql}`, parameters).rows as PlanStep[]
  }

  function findsOneRow({ detail: step }: PlanStep): boolean {
    if (/^SEARCH \w+( AS \w+)? USING INTEGER PRIMARY KEY \(rowid=\?\)( LEFT-JOIN)?$/.test(step)) return true
    const byIndex = /^SEARCH \w+ USING (?:COVERING )?INDEX (\w+) \(([^)]*)\)( LEFT-JOIN)?$/.exec(step)
    if (!byIndex) return false
    const [, index = '', terms = ''] = byIndex
    const equalities = terms.split(' AND ').filter((term) => term.endsWith('=?')).length
    return equalities === countUniqueIndexColumns(index)
  }

  /** Returns 0 for an index that is not unique. */
  function countUniqueIndexColumns(index: string): number {
    const { rows } = connection.run(
      `select count(*) as columns from sqlite_schema s, pragma_index_list(s.tbl_name) l, pragma_index_info(s.name)
       where s.type = 'index' and s.name = ? and l.name = s.name and l."unique" = 1`,
      [index],
    )
    return (rows as [{ columns: number }])[0].columns
  }

  return { isKeyLookup }
}
