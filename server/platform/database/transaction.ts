import { type CompiledQuery, PostgresAdapter, sql } from 'kysely'
import { repeatWithReserve } from './disk-reserve.ts'
import type { Database, Tx } from './tables.ts'

/**
 * Transactions with equal locks run one after another, and `everything` runs alone. Operations that change or delete
 * rows to which other rows refer use `everything`.
 */
export type LockScope = 'everything' | `${'event' | 'account' | 'upload' | 'guest' | 'work'} ${string | number}`

/**
 * Runs `work` in a transaction that sees everything that earlier transactions with the same lock have committed. On
 * PostgreSQL transactions with other locks run concurrently; on SQLite all run one after another. `work` runs a second
 * time if the disk was full and space could be freed.
 */
export function inTransaction<T>(db: Database, lock: LockScope, work: (tx: Tx) => Promise<T>): Promise<T> {
  const run = () =>
    db.transaction().execute(async (tx) => {
      if (isPostgres(tx)) await tx.executeQuery(compileLockQuery(lock, tx))
      return work(tx)
    })
  return repeatWithReserve(run)
}

/**
 * On PostgreSQL, runs `work` on a consistent read-only snapshot, without waiting for writers. On SQLite, runs it in a
 * transaction that waits for earlier ones.
 */
export function inSnapshot<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
}

export const isPostgres = (db: Database): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/** `everything` takes the instance lock exclusively; other locks share it. Taking it first prevents deadlocks. */
function compileLockQuery(lock: LockScope, tx: Tx): CompiledQuery {
  const instance = sql.lit('proofroom')
  const query =
    lock === 'everything'
      ? sql`select pg_advisory_xact_lock(hashtextextended(${instance}, 0))`
      : sql`select pg_advisory_xact_lock_shared(hashtextextended(${instance}, 0)), pg_advisory_xact_lock(hashtextextended(${sql.lit(lock)}, 0))`
  return query.compile(tx)
}
