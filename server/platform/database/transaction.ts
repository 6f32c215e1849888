import { type CompiledQuery, PostgresAdapter, sql } from 'kysely'
import type { Database, Tx } from './tables.ts'

/**
 * Which transactions run one after another: those with the same name, such as `event 7`, and `everything` with all others.
 * An operation that changes or deletes rows to which others refer takes `everything`.
 */
export type LockScope = 'everything' | `${'event' | 'account' | 'upload' | 'guest' | 'work'} ${string | number}`

/**
 * Runs `work` in a transaction. It reads what earlier transactions with the same lock have committed. Transactions with
 * other locks run at the same time on PostgreSQL; on SQLite all run one after another.
 */
export function inTransaction<T>(db: Database, lock: LockScope, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    if (isPostgres(tx)) await tx.executeQuery(acquire(lock, tx))
    return work(tx)
  })
}

/** Runs `work` on a consistent snapshot, read only, without waiting for transactions that write. */
export function inSnapshot<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
}

export const isPostgres = (db: Database): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/** Named locks share the lock of the instance, which `everything` holds exclusively. It comes first, so that no deadlock is possible. */
function acquire(lock: LockScope, tx: Tx): CompiledQuery {
  const instance = sql.lit('proofroom')
  const query =
    lock === 'everything'
      ? sql`select pg_advisory_xact_lock(hashtextextended(${instance}, 0))`
      : sql`select pg_advisory_xact_lock_shared(hashtextextended(${instance}, 0)), pg_advisory_xact_lock(hashtextextended(${sql.lit(lock)}, 0))`
  return query.compile(tx)
}
