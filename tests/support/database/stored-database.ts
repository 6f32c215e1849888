/**
 * Direct, synchronous access to the database of a service, SQLite or PostgreSQL. `prepare`, `exec` and statements are
 * used as in better-sqlite3.
 */
export type StoredDatabase = {
  prepare: <_Parameters extends unknown[] = unknown[], Row = unknown>(statement: string) => StoredStatement<Row>
  exec: (statements: string) => void
  transaction: <T>(change: () => T) => T
  tables: () => string[]
  columns: (table: string) => string[]
  /** All rows of each table, in any order. */
  contents: (tables: readonly string[]) => unknown[][]
  close: () => void
}

export type StoredStatement<Row> = {
  get: (...parameters: unknown[]) => Row | undefined
  all: (...parameters: unknown[]) => Row[]
  run: (...parameters: unknown[]) => { lastInsertRowid: number | bigint }
  /** Returns a statement that returns only the first column of each row. */
  pluck: () => StoredStatement<Row>
}

/** Thrown when another connection holds a lock. A retry may succeed. */
export class LockedError extends Error {}
