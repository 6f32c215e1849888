/** The database of a service as an outsider sees it, at once and in the words of better-sqlite3, whichever it is. */
export type StoredDatabase = {
  prepare: <_Parameters extends unknown[] = unknown[], Row = unknown>(statement: string) => StoredStatement<Row>
  exec: (statements: string) => void
  /** All or nothing. */
  transaction: <T>(change: () => T) => T
  tables: () => string[]
  columns: (table: string) => string[]
  /** All rows of these tables, of each in some order. */
  contents: (tables: readonly string[]) => unknown[][]
  close: () => void
}

export type StoredStatement<Row> = {
  get: (...parameters: unknown[]) => Row | undefined
  all: (...parameters: unknown[]) => Row[]
  run: (...parameters: unknown[]) => { lastInsertRowid: number | bigint }
  /** Of each row the first column alone. */
  pluck: () => StoredStatement<Row>
}

/** Thrown when somebody else holds what was to be changed; another attempt may succeed. */
export class HeldByAnother extends Error {}
