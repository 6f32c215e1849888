import { AppError } from '../platform/app-error.ts'
import { hours, seconds } from '../platform/clock.ts'
import type { Tx } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

export const leaseMs = seconds(60)
const keptMs = hours(24)

export type IdempotencyKeyTable = {
  /** SHA-256 over whose key it is, route and key. */
  key_hash: string
  /** HMAC over what was sent: a password among it cannot be guessed from here. */
  fingerprint: string
  /** The request that works under the key. */
  holder: string
  lease_until: number
  /** Of the first answer; null while the operation is under way. */
  status: number | null
  entity_id: number | null
  note: string | null
  created_at: number
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    idempotency_keys: IdempotencyKeyTable
  }
}

export type Claim = { keyHash: string; fingerprint: string; holder: string }

/** Enough to render the first answer again from today's row. */
export type Outcome = {
  status: number
  id: number
  /** What the answer tells beside the row, such as the file name that a replace has ended. */
  note?: string | null
}

/**
 * Takes the key for 60 seconds, unless somebody works under it or has done so within 24 hours. One statement, so that
 * of simultaneous requests one gets it. The lease frees the key of a process that died.
 */
export async function claimKey({ db, clock }: PlatformContext, claim: Claim): Promise<boolean> {
  const now = clock.now()
  const { key_hash, ...columns } = underWay(claim, now)
  const claimed = await db
    .insertInto('idempotency_keys')
    .values({ key_hash, ...columns })
    .onConflict((conflict) =>
      conflict
        .column('key_hash')
        .doUpdateSet(columns)
        .where((where) =>
          where.or([
            where('idempotency_keys.created_at', '<=', now - keptMs),
            where.and([where('idempotency_keys.status', 'is', null), where('idempotency_keys.lease_until', '<=', now)]),
          ]),
        ),
    )
    .returning('key_hash')
    .execute()
  return claimed.length > 0
}

/**
 * Written in the transaction of the operation. Of two requests with the same content, the second of which came when the
 * lease of the first was over, the one that is done first counts, and the other is undone: IDEMPOTENCY_IN_PROGRESS.
 */
export async function recordOutcome(tx: Tx, claim: Claim, { status, id, note = null }: Outcome, now: number) {
  const outcome = { status, entity_id: id, note }
  const recorded = await tx
    .insertInto('idempotency_keys')
    .values({ ...underWay(claim, now), ...outcome })
    .onConflict((conflict) =>
      conflict
        .column('key_hash')
        .doUpdateSet(outcome)
        .where('idempotency_keys.status', 'is', null)
        .where('idempotency_keys.fingerprint', '=', claim.fingerprint),
    )
    .returning('key_hash')
    .execute()
  if (recorded.length === 0) throw new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 })
}

/** After an operation that failed: the key is as if it had never been sent. */
export async function releaseKey({ db }: PlatformContext, { keyHash, holder }: Claim): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('key_hash', '=', keyHash)
    .where('holder', '=', holder)
    .where('status', 'is', null)
    .execute()
}

export const findKey = ({ db }: PlatformContext, keyHash: string): Promise<IdempotencyKeyTable | undefined> =>
  db.selectFrom('idempotency_keys').selectAll().where('key_hash', '=', keyHash).executeTakeFirst()

/** Forgets keys after 24 hours. */
export async function pruneIdempotencyKeys({ db, clock }: PlatformContext): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<=', clock.now() - keptMs)
    .execute()
}

const underWay = ({ keyHash, fingerprint, holder }: Claim, now: number): IdempotencyKeyTable => ({
  key_hash: keyHash,
  fingerprint,
  holder,
  lease_until: now + leaseMs,
  status: null,
  entity_id: null,
  note: null,
  created_at: now,
})
