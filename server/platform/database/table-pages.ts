import { createHash } from 'node:crypto'
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TableShape } from './table-shapes.ts'
import type { Database } from './tables.ts'

export type Row = Record<string, unknown>

/** For tables whose names are known only at run time. */
export const untyped = (db: Database) => db as unknown as Kysely<Record<string, Row>>

const firstPageRows = 16
const maxPageRows = 2000
/** The number of rows per page is adjusted to this size, because row sizes differ. */
const targetPageBytes = 2e6

type Page = {
  rows: Row[]
  /** Rows as JSON arrays, in column order. */
  texts: string[]
}

/** Returns the rows for which `where` is true, in key order and in pages of at most `maxPageRows` rows. */
export async function* readPages(db: Database, table: TableShape, where?: RawBuilder<SqlBool>): AsyncGenerator<Page> {
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
    const texts = rows.map((row) => serializeRow(table, row))
    yield { rows, texts }
    last = rows.at(-1)
    limit = nextLimit(
      limit,
      texts.reduce((sum, text) => sum + text.length, 0),
    )
  }
}

function nextLimit(limit: number, bytes: number): number {
  if (bytes > targetPageBytes) return Math.max(1, Math.floor((limit * targetPageBytes) / bytes))
  return bytes < targetPageBytes / 2 ? Math.min(maxPageRows, limit * 2) : limit
}

/** Throws for values other than numbers, text and null, the only types that SQLite and PostgreSQL represent equally. */
function serializeRow({ name, columns }: TableShape, row: Row): string {
  const values = columns.map((column) => row[column])
  const isPlain = values.every((value) => value === null || ['number', 'string'].includes(typeof value))
  if (!isPlain) throw new Error(`A row of ${name} contains values other than numbers and text`)
  return JSON.stringify(values)
}

/** Tables with equal digests have the same rows, even in databases of different kinds. */
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
