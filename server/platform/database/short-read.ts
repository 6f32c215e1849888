import { type Expression, type SqlBool, sql } from 'kysely'
import type { Database } from './tables.ts'
import { isPostgres } from './transaction.ts'

/** The most ids that a short read may ask for. */
export const maxShortRead = 200

const mark = '/* short read */'
const keyMark = '/* by key */'

/**
 * Marks a frequent query that reads at most some hundred rows through indexes: `.modifyEnd(shortRead)`. Its text must
 * be the same each time (see `isOneOf`), and it must name its columns.
 *
 * On SQLite it runs on the main thread: for a page of 50 photos, this takes as long there as receiving the rows from the
 * reader thread, and half of the processor time in total. A loop over many pages must not use it, because no other
 * request would be answered in between. On PostgreSQL it is prepared once for each connection.
 */
export const shortRead = sql.raw(mark)

/**
 * Marks a frequent query that finds one row by its key: `.modifyEnd(byKey)`. On SQLite it takes microseconds and runs on the
 * main thread too, outside of transactions. On PostgreSQL it is like any other query.
 */
export const byKey = sql.raw(keyMark)

/** Whether SQLite runs the query on the main thread. */
export const isQuick = (statement: string): boolean => isShortRead(statement) || statement.endsWith(keyMark)

export const isShortRead = (statement: string): boolean => statement.endsWith(mark)

/** Like `in`, but with a single parameter, so that the text of the query does not depend on the number of ids. */
export const isOneOf = (db: Database, column: string, ids: readonly number[]): Expression<SqlBool> =>
  isInParameter(db, column, toParameter(db, ids))

/** Like `isOneOf`, for a query that is compiled once. `parameter`: the result of `toParameter`. */
export const isInParameter = (db: Database, column: string, parameter: unknown): Expression<SqlBool> =>
  isPostgres(db)
    ? sql<SqlBool>`${sql.ref(column)} = any(${parameter})`
    : sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${parameter}))`

export const toParameter = (db: Database, ids: readonly number[]): unknown =>
  isPostgres(db) ? ids : JSON.stringify(ids)
