import { runCompiled } from '../platform/database/compile-once.ts'
import { byKey } from '../platform/database/short-read.ts'
import type { Tx } from '../platform/database/tables.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { hours, seconds } from '../platform/time/clock.ts'

export const leaseMs = seconds(60)
const retentionMs = hours(24)

export type IdempotencyKeyTable = {
  /** SHA-256 of owner, route and key. */
  key_hash: string
  /** HMAC of the request fields. Unlike a plain hash it does not help to guess a password among them. */
  fingerprint: string
  holder: string
  lease_until: number
  /** The HTTP status of the first response; null while the operation is running. */
  status: number | null
  entity_id: number | null
  note: string | null
  created_at: number
  /** The event of the guest; null for a key of an API token. */
  event_id: number | null
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    idempotency_keys: IdempotencyKeyTable
  }
}

export type Claim = { keyHash: string; fingerprint: string; holder: string; eventId: number | null }

/** The data from which the first response is rendered again. */
export type Outcome = {
  status: number
  id: number
  /** A part of the response that is not in the row of `id`, such as the name of a replaced file. */
  note?: string | null
}

/**
 * Returns false if another request has claimed the key in the last 24 hours and is running or completed. After a crash
 * the key is free again when the lease ends.
 */
export async function claimKey({ db, clock }: PlatformContext, claim: Claim): Promise<boolean> {
  const now = clock.now()
  const values = { ...pendingRow(claim, now), now, outdated: now - retentionMs }
  const claimed = await runCompiled(db, 'claim an idempotency key', values, ({ now, outdated, ...row }) => {
    const { key_hash, ...columns } = row
    return db
      .insertInto('idempotency_keys')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .column('key_hash')
          .doUpdateSet(columns)
          .where((where) =>
            where.or([
              where('idempotency_keys.created_at', '<=', outdated),
              where.and([
                where('idempotency_keys.status', 'is', null),
                where('idempotency_keys.lease_until', '<=', now),
              ]),
            ]),
          ),
      )
      .returning('key_hash')
  })
  return claimed.length > 0
}

/**
 * Throws IDEMPOTENCY_IN_PROGRESS, which rolls the operation back, if another request has completed first or has claimed
 * the key with other fields.
 */
export async function recordOutcome(tx: Tx, claim: Claim, { status, id, note = null }: Outcome, now: number) {
  const values = { ...pendingRow(claim, now), status, entity_id: id, note }
  const recorded = await runCompiled(tx, 'record an outcome', values, (row) =>
    tx
      .insertInto('idempotency_keys')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .column('key_hash')
          .doUpdateSet({ status: row.status, entity_id: row.entity_id, note: row.note })
          .where('idempotency_keys.status', 'is', null)
          .where('idempotency_keys.fingerprint', '=', row.fingerprint),
      )
      .returning('key_hash'),
  )
  if (recorded.length === 0) throw new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 })
}

/** Frees the key after a failure, so that the request can be repeated. */
export async function releaseKey({ db }: PlatformContext, { keyHash, holder }: Claim): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('key_hash', '=', keyHash)
    .where('holder', '=', holder)
    .where('status', 'is', null)
    .execute()
}

/** The stored response to a note, a pin, a box or an answer contains its text. */
export async function deleteThreadOutcomes(tx: Tx, threadIds: readonly number[]): Promise<void> {
  if (threadIds.length === 0) return
  await tx
    .deleteFrom('idempotency_keys')
    .where('entity_id', 'in', threadIds)
    .where('note', 'like', '%"text":%')
    .execute()
}

export const findKey = ({ db }: PlatformContext, keyHash: string): Promise<IdempotencyKeyTable | undefined> =>
  db.selectFrom('idempotency_keys').selectAll().where('key_hash', '=', keyHash).modifyEnd(byKey).executeTakeFirst()

export async function pruneIdempotencyKeys({ db, clock }: PlatformContext): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<=', clock.now() - retentionMs)
    .execute()
}

const pendingRow = ({ keyHash, fingerprint, holder, eventId }: Claim, now: number): IdempotencyKeyTable => ({
  key_hash: keyHash,
  fingerprint,
  holder,
  lease_until: now + leaseMs,
  status: null,
  entity_id: null,
  note: null,
  created_at: now,
  event_id: eventId,
})
