import { type CompiledQuery, PostgresAdapter, sql } from 'kysely'
import type { Database, Tx } from './tables.ts'

/**
 * Which deeds follow one another: those of one lane. `everything` is alone in the whole instance, and what a deed that
 * changes or deletes what others refer to takes; a name is what the deed is about, such as `event 7`.
 */
export type Lane = 'everything' | `${'event' | 'account' | 'upload' | 'guest' | 'work'} ${string | number}`

/**
 * The writes of one deed, all of them or none. What it reads is what was committed by the deeds of its lane before it,
 * and stays so until it ends; deeds of other lanes run beside it. On SQLite every deed follows the one before.
 */
export function inDeed<T>(db: Database, lane: Lane, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    if (isPostgres(tx)) await tx.executeQuery(enter(lane, tx))
    return work(tx)
  })
}

/** Reads of one moment. They wait for no deed, and nothing is written in them. */
export function inSnapshot<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
}

/** Where the two databases differ, it is asked here. */
export const isPostgres = (db: Database): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/** One lock that named lanes share and `everything` takes alone; then that of the lane. In this order, so that none waits in a ring. */
function enter(lane: Lane, tx: Tx): CompiledQuery {
  const ctx = sql.lit('proofroom')
  const query =
    lane === 'everything'
      ? sql`select pg_advisory_xact_lock(hashtextextended(${ctx}, 0))`
      : sql`select pg_advisory_xact_lock_shared(hashtextextended(${ctx}, 0)), pg_advisory_xact_lock(hashtextextended(${sql.lit(lane)}, 0))`
  return query.compile(tx)
}
