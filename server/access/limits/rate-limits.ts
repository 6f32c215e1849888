import { RecentMap } from '../../platform/background/recent-map.ts'
import { createSharedRateCounter } from '../../platform/background/shared-rate-counter.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { hours, minutes } from '../../platform/time/clock.ts'

/** What is left of a limit in the current window, which ends after `resetSeconds`. */
export type Usage = { maxCount: number; remaining: number; resetSeconds: number; isExceeded: boolean }

/** One limit applied to one key, such as an address, a gallery or a guest. */
export type Allowance = {
  /** The limit and the key, separated by a space. */
  name: string
  /** Counts one use, unless the limit was exceeded before. Returns the seconds to wait if it is exceeded, or null. */
  consume: () => Promise<number | null>
  /** Returns the seconds to wait if the limit is reached, or null. Does not count. */
  wait: () => Promise<number | null>
}

export type RequestAllowance = Allowance & {
  /** Counts like `consume`, and returns what is left; null if limits are off. */
  use: () => Promise<Usage | null>
}

type Limit = { maxCount: number; windowMs: number }

const limits = {
  anonymous: { maxCount: 600, windowMs: minutes(1) }, // requests below /api without a valid credential, per address
  accountFailures: { maxCount: 20, windowMs: minutes(15) }, // failed sign-ins and invitations of accounts, per address
  codeFailures: { maxCount: 20, windowMs: hours(1) }, // wrong codes of a second factor, per account
  customerFailures: { maxCount: 20, windowMs: minutes(15) }, // failed sign-ins of customers, per address
  entryFailuresOfAddress: { maxCount: 30, windowMs: minutes(15) }, // failed attempts to enter a gallery, per address
  entryFailuresOfGallery: { maxCount: 300, windowMs: hours(1) }, // failed attempts to enter a gallery, per gallery
  forgedPictures: { maxCount: 60, windowMs: minutes(1) }, // picture addresses with a wrong signature, per address
  guestWrites: { maxCount: 120, windowMs: minutes(1) }, // changes by a guest
  newGuests: { maxCount: 2_000, windowMs: hours(1) }, // guests who are stored for the first time, per event and address
  guestSignOuts: { maxCount: 2_000, windowMs: hours(1) }, // sessions of guests that are ended, per address
  guestSelections: { maxCount: 20, windowMs: hours(1) }, // submitted selections of a guest
  testMails: { maxCount: 20, windowMs: minutes(10) }, // test mails, per account
} satisfies Record<string, Limit>

type LimitName = keyof typeof limits

export type RateLimits = Record<LimitName, (key: string) => RequestAllowance>

/** Replaces the `maxCount` of some limits. */
export type MaxRequests = Partial<Record<LimitName, number>>

/** With RATE_LIMIT=off, nothing is counted or limited. */
export function createRateLimits(ctx: PlatformContext, maxRequests: MaxRequests = {}): RateLimits {
  const names = Object.keys(limits) as LimitName[]
  const createLimitFor = ctx.config.rateLimit ? createCountedLimit : unlimited
  const entries = names.map((name) => {
    const maxCount = maxRequests[name] ?? limits[name].maxCount
    return [name, createLimitFor(ctx, name, { ...limits[name], maxCount })]
  })
  return Object.fromEntries(entries) as RateLimits
}

const maxExceeded = 10_000

function createCountedLimit(
  ctx: PlatformContext,
  limit: LimitName,
  { maxCount, windowMs }: Limit,
): (key: string) => RequestAllowance {
  const { clock, log } = ctx
  const counter = createSharedRateCounter(ctx, limit, windowMs)
  /**
   * Keys beyond the limit, with the end of their window. Until then they are not counted again, so that a flood of
   * requests does not cause a flood of database writes.
   */
  const exceeded = new RecentMap<string, number>(maxExceeded)
  const secondsUntil = (time: number) => Math.max(1, Math.ceil((time - clock.now()) / 1000))

  const createUsage = (count: number, endsAt: number): Usage => ({
    maxCount,
    remaining: Math.max(0, maxCount - count),
    resetSeconds: secondsUntil(endsAt),
    isExceeded: count > maxCount,
  })

  async function use(key: string): Promise<Usage> {
    const exceededUntil = exceeded.get(key) ?? 0
    if (exceededUntil > clock.now()) return createUsage(maxCount + 1, exceededUntil)
    const { count, endsAt } = await counter.add(key)
    if (count <= maxCount) return createUsage(count, endsAt)
    exceeded.set(key, endsAt)
    // Logged once per window, so that a flood of requests does not flood the log.
    if (count === maxCount + 1) log.warn({ limit, key }, 'A request limit was reached')
    return createUsage(count, endsAt)
  }

  return (key) => ({
    name: `${limit} ${key}`,
    use: () => use(key),
    async consume() {
      const { isExceeded, resetSeconds } = await use(key)
      return isExceeded ? resetSeconds : null
    },
    async wait() {
      const { count, endsAt } = await counter.readCount(key)
      return count < maxCount ? null : secondsUntil(endsAt)
    },
  })
}

const unlimited =
  (_ctx: PlatformContext, limit: LimitName) =>
  (key: string): RequestAllowance => ({
    name: `${limit} ${key}`,
    consume: async () => null,
    use: async () => null,
    wait: async () => null,
  })

export const rateLimited = (retryAfterSeconds: number, text?: string): AppError =>
  new AppError('RATE_LIMITED', { retryAfterSeconds, ...(text && { text }) })

/** Throws RATE_LIMITED if the limit is exceeded. */
export async function consume(allowance: Allowance): Promise<void> {
  const seconds = await allowance.consume()
  if (seconds !== null) throw rateLimited(seconds)
}
