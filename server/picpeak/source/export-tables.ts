import { crc32 } from 'node:zlib'
import type Sqlite from 'better-sqlite3'
import type { ZipEntry } from '../../archives/read-zip.ts'
import { t } from '../../platform/text/command-messages.ts'
import { quoteName } from './source-database.ts'

/** What is wrong with a table of an export. `id` names the row, or says that all rows are meant. */
export type ExportProblem = { table: string; id: string; reason: string }

const maxLineBytes = 16 * 2 ** 20
/** SQLite allows 2,000. */
const maxColumns = 1_000
/** Rows are read by event. */
const eventColumn = 'event_id'
const newline = 0x0a

/**
 * Stores the rows of a table, one JSON object per line, in the order of their ids. Rows that cannot be read are left out
 * and reported.
 */
export async function loadTable(
  sqlite: Sqlite.Database,
  table: string,
  entry: ZipEntry,
  report: (problem: ExportProblem) => void,
): Promise<number> {
  const unsorted = `unsorted ${table}`
  sqlite.exec(`create table ${quoteName(unsorted)} (id)`)
  const insert = createInserter(sqlite, unsorted)
  let line = 0
  const addProblem = (reason: string, id = t('lineOfTable', { line })) => report({ table, id, reason })
  sqlite.exec('begin')
  try {
    for await (const bytes of readLines(entry)) {
      line++
      const row = bytes && parseRow(bytes)
      if (row) insert(row)
      else addProblem(t('rowUnreadable'))
    }
  } catch (error) {
    addProblem(t('tableEnds', { count: line, problem: (error as Error).message }), t('allRows'))
  }
  sqlite.exec(`create table ${quoteName(table)} as select * from ${quoteName(unsorted)} order by cast(id as integer);
    drop table ${quoteName(unsorted)}`)
  const columns = sqlite.prepare('select 1 from pragma_table_info(?) where name = ?')
  if (columns.get(table, eventColumn)) {
    sqlite.exec(`create index ${quoteName(`${table} by event`)} on ${quoteName(table)} (${quoteName(eventColumn)})`)
  }
  sqlite.exec('commit')
  return line
}

type Row = Record<string, unknown>

function parseRow(bytes: Buffer): Row | null {
  try {
    const row: unknown = JSON.parse(bytes.toString())
    return row !== null && typeof row === 'object' && !Array.isArray(row) ? (row as Row) : null
  } catch {
    return null
  }
}

/** Adds columns as they appear. Their names are those of SQLite, which ignores upper and lower case. */
function createInserter(sqlite: Sqlite.Database, table: string): (row: Row) => void {
  const columns = new Set(['id'])
  let known = ''
  let statement: Sqlite.Statement | null = null
  return (row) => {
    const names = Object.keys(row).filter((name) => name !== '' && !name.includes('\0'))
    const shape = names.join('\0')
    if (statement === null || shape !== known) {
      for (const name of names) {
        if (columns.has(name.toLowerCase()) || columns.size >= maxColumns) continue
        sqlite.exec(`alter table ${quoteName(table)} add column ${quoteName(name)}`)
        columns.add(name.toLowerCase())
      }
      const usable = names.filter((name) => columns.has(name.toLowerCase()))
      const values = usable.map(() => '?').join()
      statement = sqlite.prepare(`insert into ${quoteName(table)} (${usable.map(quoteName)}) values (${values})`)
      known = shape
    }
    statement.run(...names.filter((name) => columns.has(name.toLowerCase())).map((name) => toStored(row[name])))
  }
}

const toStored = (value: unknown): string | number | null => {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' || typeof value === 'number') return value
  return JSON.stringify(value)
}

/** Yields lines without their end, and null for one that is longer than 16 MiB. Throws if the content is damaged. */
async function* readLines(entry: ZipEntry): AsyncGenerator<Buffer | null> {
  let parts: Buffer[] = []
  let length = 0
  let sum = 0
  const take = (): Buffer | null => {
    const line = length > maxLineBytes ? null : Buffer.concat(parts)
    parts = []
    length = 0
    return line
  }
  const add = (part: Buffer) => {
    length += part.length
    if (length > maxLineBytes) parts = []
    else parts.push(part)
  }
  for await (const chunk of (await entry.open()) as AsyncIterable<Buffer>) {
    sum = crc32(chunk, sum)
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      add(chunk.subarray(start, end))
      start = end + 1
      const line = take()
      if (line === null || !isBlank(line)) yield line
    }
    add(chunk.subarray(start))
  }
  const last = take()
  if (last === null || !isBlank(last)) yield last
  if (sum !== entry.crc32) throw new Error(t('otherChecksum'))
}

const isBlank = (line: Buffer): boolean => line.length < 8 && line.toString().trim() === ''
