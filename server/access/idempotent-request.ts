import { createHash, createHmac, randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseUnavailable } from '../platform/database/opened-database.ts'
import type { Tx } from '../platform/database/tables.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { type Claim, claimKey, findKey, leaseMs, type Outcome, recordOutcome, releaseKey } from './idempotency-rows.ts'

/** Must be called in the transaction of the operation. */
export type RecordOutcome = (tx: Tx, outcome: Outcome) => Promise<void>

/** The request fields that determine the operation. null counts as not sent. */
export type SentFields = Record<string, unknown>

type Operation<T> = {
  first: (record: RecordOutcome) => Promise<T>
  /** Loads the result of the first call in its current state. Throws NOT_FOUND if it was deleted. */
  again: (outcome: Outcome) => Promise<T>
}

/**
 * Runs `operation.first`. With an API token and an `Idempotency-Key`, `first` succeeds at most once in 24 hours for the
 * same token, path and key: a repeated request gets the first result in its current state. Throws
 * IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, or NOT_FOUND if the result was deleted.
 */
export const oncePerKey = <T>(
  ctx: PlatformContext,
  request: FastifyRequest,
  reply: FastifyReply,
  fields: SentFields,
  operation: Operation<T>,
): Promise<T> => oncePerOwnerKey(ctx, request.caller.tokenId ?? null, { request, reply, fields }, operation)

/** The id of an API token or of a guest. Keys of different owners are independent; null ignores keys. */
type KeyOwner = number | string | null

type KeyedRequest = {
  request: FastifyRequest
  reply: FastifyReply
  fields: SentFields
  /** The event of a guest. */
  eventId?: number
}

/** Like `oncePerKey`, for any owner. */
export async function oncePerOwnerKey<T>(
  ctx: PlatformContext,
  owner: KeyOwner,
  { request, reply, fields, eventId }: KeyedRequest,
  { first, again }: Operation<T>,
): Promise<T> {
  const claim = createClaim(ctx, owner, request, { fields, eventId })
  if (!claim) return first(async () => undefined)

  const isOurs = await claimKey(ctx, claim).catch((error) => releaseAndRethrow(ctx, claim, error))
  if (!isOurs) {
    const found = await again(await getEarlierOutcome(ctx, claim)).catch(throwGone)
    reply.header('idempotent-replayed', 'true')
    return found
  }
  try {
    return await first((tx, outcome) => recordOutcome(tx, claim, outcome, ctx.clock.now()))
  } catch (error) {
    return releaseAndRethrow(ctx, claim, error)
  }
}

/** Releases the key and rethrows the error. Does not wait for the release if the database is unavailable. */
async function releaseAndRethrow(ctx: PlatformContext, claim: Claim, error: unknown): Promise<never> {
  const released = release(ctx, claim)
  if (!(error instanceof DatabaseUnavailable)) await released
  throw error
}

const releaseRetryMs = 500

/** Retries for 60 seconds while the database is unavailable. If that fails, the key is free when its lease ends. */
async function release(ctx: PlatformContext, claim: Claim, giveUpAt = performance.now() + leaseMs): Promise<void> {
  await releaseKey(ctx, claim).catch((err) => {
    if (!(err instanceof DatabaseUnavailable) || performance.now() > giveUpAt)
      return ctx.log.warn({ err }, 'Could not release an idempotency key')
    return void setTimeout(() => void release(ctx, claim, giveUpAt), releaseRetryMs).unref()
  })
}

function createClaim(
  { secrets }: PlatformContext,
  owner: KeyOwner,
  request: FastifyRequest,
  { fields, eventId }: { fields: SentFields; eventId: number | undefined },
): Claim | null {
  const key = request.headers['idempotency-key']
  if (key === undefined || owner === null) return null
  const route = [request.method, request.routeOptions.url, request.params]
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return {
    keyHash: createHash('sha256')
      .update(JSON.stringify([owner, route, key]))
      .digest('hex'),
    fingerprint: createHmac('sha256', secrets.jwtSecret)
      .update(`idempotency ${JSON.stringify(given.sort(byName))}`)
      .digest('hex'),
    holder: randomUUID(),
    eventId: eventId ?? null,
  }
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1)

async function getEarlierOutcome(ctx: PlatformContext, { keyHash, fingerprint }: Claim): Promise<Outcome> {
  const row = await findKey(ctx, keyHash)
  // The other request has released the key since the claim failed.
  if (!row) throw new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 })
  if (row.fingerprint !== fingerprint) throw new AppError('IDEMPOTENCY_KEY_REUSED')
  const { status, entity_id: id, note } = row
  if (status !== null && id !== null) return { status, id, note }

  // Suggests a wait as long as the operation has run so far, at most the rest of its lease, and at least one second.
  const now = ctx.clock.now()
  const waitMs = Math.min(now - row.created_at, row.lease_until - now)
  throw new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })
}

function throwGone(error: unknown): never {
  const isGone = error instanceof AppError && error.code === 'NOT_FOUND'
  throw isGone
    ? new AppError('NOT_FOUND', { text: 'The resource that was created with this Idempotency-Key no longer exists.' })
    : error
}
