import Sqlite from 'better-sqlite3'

type Column = { name: string; type: string; notnull: number; pk: number; refers_to: string | null }

/** Texts that sort differently by letter case, byte and UTF-16 unit, and texts that need quoting. */
const words = ['Zoë', 'zoe', 'a "b" \\ \'c\'', '\u{1f600} smile', '\uff5e wide', '{"a": [1, null]}', '', 'Ärger\n\t']

const rowsPerTable = 40

/** A constraint allows only one row of this table, with the id 1. */
const singleRowTable = 'mail_server'

export const rowsOf = (table: string): number => (table === singleRowTable ? 1 : rowsPerTable)

/**
 * Fills every table of a SQLite file with unusual values and with rows that refer to each other, some of them in
 * cycles. It also inserts and deletes a row, so that a sequence is ahead of the highest id.
 */
export function fillDatabase(file: string): void {
  const sqlite = new Sqlite(file)
  sqlite.pragma('foreign_keys = off')
  sqlite.pragma('synchronous = off')
  const names = sqlite
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like 'kysely%'",
    )
    .pluck()
    .all() as string[]
  const tables = new Map(names.map((name) => [name, columnsOf(sqlite, name)]))
  for (const [name, columns] of tables) {
    sqlite.prepare(`delete from "${name}"`).run()
    const marks = columns.map(() => '?').join(', ')
    const insert = sqlite.prepare(`insert into "${name}" values (${marks})`)
    const valueIn = (column: Column, row: number) =>
      name === singleRowTable && column.pk > 0 ? 1 : createValue(tables, column, row)
    for (let row = 1; row <= rowsOf(name); row++) insert.run(columns.map((column) => valueIn(column, row)))
  }
  sqlite
    .prepare(
      'insert into activity select 1000, at, action, outcome, user_id, token_id, via, address, event_id, subject, subject_ids, count from activity where id = 7',
    )
    .run()
  sqlite.prepare('delete from activity where id = 1000').run()
  sqlite.pragma('foreign_keys = on')
  const broken = sqlite.pragma('foreign_key_check') as unknown[]
  sqlite.close()
  if (broken.length > 0) throw new Error('The rows do not refer to each other')
}

const columnsOf = (sqlite: Sqlite.Database, table: string): Column[] =>
  sqlite
    .prepare(
      `select c.name, c.type, c."notnull", c.pk, f."table" as refers_to
      from pragma_table_info(?) as c left join pragma_foreign_key_list(?) as f on f."from" = c.name order by c.cid`,
    )
    .all(table, table) as Column[]

function createValue(tables: Map<string, Column[]>, column: Column, row: number): unknown {
  if (column.refers_to !== null) {
    if (!column.notnull && column.pk === 0 && row % 3 === 0) return null
    const key = tables.get(column.refers_to)?.find(({ pk }) => pk === 1)
    // Foreign keys are off, so a nullable reference may point to a row that is inserted later.
    const other = column.notnull || column.pk ? row : ((row * 11) % rowsPerTable) + 1
    return key && createKey(key, other)
  }
  if (column.pk > 0) return createKey(column, row)
  if (!column.notnull && row % 4 === 0) return null
  if (column.type === 'text') return `${words[row % words.length]} ${column.name} ${row}`
  if (column.type === 'real') return row / 7 + 1e-9
  return row % 5 === 0 ? Number.MAX_SAFE_INTEGER - row : row * 3 - 20
}

const createKey = ({ type }: Column, row: number): unknown =>
  type === 'text' ? `${words[row % words.length]} ${row}` : row * 7
