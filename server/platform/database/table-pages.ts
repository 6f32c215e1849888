import { createHash } from 'node:crypto'
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TableShape } from './table-shapes.ts'
import type { Database } from './tables.ts'

export type Row = Record<string, unknown>

/** Tables by names that only the database knows. */
export const untyped = (db: Database) => db as unknown as Kysely<Record<string, Row>>

const firstPageRows = 16
const maxPageRows = 2000
/** Rows differ: one of a mail holds a page of text, one of an export the marks of an event. */
const wantedPageBytes = 2e6

type Page = {
  rows: Row[]
  /** As JSON, values in the order of the columns. */
  texts: string[]
}

/** The rows of a table in the order of its key, in pages of a bounded size; those for which `where` holds. */
export async function* pagesOf(db: Database, table: TableShape, where?: RawBuilder<SqlBool>): AsyncGenerator<Page> {
  const key = table.key.map((column) => sql.ref(column))
  let last: Row | undefined
  for (let limit = firstPageRows; ; ) {
    let query = untyped(db).selectFrom(table.name).select(table.columns).limit(limit)
    for (const column of table.key) query = query.orderBy(column)
    if (where) query = query.where(where)
    if (last) {
      const values = table.key.map((column) => last?.[column])
      query = query.where(sql<SqlBool>`(${sql.join(key)}) > (${sql.join(values)})`)
    }
    const rows = await query.execute()
    if (rows.length === 0) return
    const texts = rows.map((row) => textOf(table, row))
    yield { rows, texts }
    last = rows.at(-1)
    limit = nextLimit(
      limit,
      texts.reduce((sum, text) => sum + text.length, 0),
    )
  }
}

function nextLimit(limit: number, bytes: number): number {
  if (bytes > wantedPageBytes) return Math.max(1, Math.floor((limit * wantedPageBytes) / bytes))
  return bytes < wantedPageBytes / 2 ? Math.min(maxPageRows, limit * 2) : limit
}

/** Numbers, text and null: what both databases hold alike. */
function textOf({ name, columns }: TableShape, row: Row): string {
  const values = columns.map((column) => row[column])
  const isPlain = values.every((value) => value === null || ['number', 'string'].includes(typeof value))
  if (!isPlain) throw new Error(`A row of ${name} holds something else than numbers and text`)
  return JSON.stringify(values)
}

/** Two tables of the same digest hold the same rows, whatever databases they stand in. */
export function createTableDigest() {
  const hash = createHash('sha256')
  let rows = 0
  return {
    update(texts: readonly string[]): void {
      for (const text of texts) hash.update(text).update('\n')
      rows += texts.length
    },
    finish: () => ({ rows, digest: hash.digest('hex') }),
  }
}
