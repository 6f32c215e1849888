import { AppError } from '../platform/app-error.ts'
import { RecentMap } from '../platform/background/recent-map.ts'
import { createSharedRateCounter } from '../platform/background/shared-rate-counter.ts'
import { hours, minutes } from '../platform/clock.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

/** What one address, gallery or guest may still do under one limit. */
export type Allowance = {
  /** Names limit and key. */
  name: string
  /** Counts one. Seconds to wait when it was beyond the limit; null within it. */
  spend: () => Promise<number | null>
  /** Seconds to wait while the limit is reached; null before. Counts nothing. */
  wait: () => Promise<number | null>
}

type Limit = { most: number; windowMs: number }

/** Decisions §8, "Limits". */
const limits = {
  /** Requests below /api without a valid credential, per address. */
  anonymous: { most: 600, windowMs: minutes(1) },
  /** Failed sign-ins of accounts, per address. */
  accountFailures: { most: 20, windowMs: minutes(15) },
  /** Wrong codes of a second factor, per account, from all addresses together. */
  codeFailures: { most: 20, windowMs: hours(1) },
  /** Failed sign-ins of customers, per address. */
  customerFailures: { most: 20, windowMs: minutes(15) },
  /** Failed attempts to enter a gallery, per address. */
  galleryFailures: { most: 30, windowMs: minutes(15) },
  /** The same per gallery, from all addresses together. */
  eventFailures: { most: 300, windowMs: hours(1) },
  /** What a guest changes. */
  guestWrites: { most: 120, windowMs: minutes(1) },
  /** Selections that a guest hands in: each is a mail. */
  guestSelections: { most: 20, windowMs: hours(1) },
  /** Mails about selections, per gallery: those beyond are kept without a mail. */
  selectionMails: { most: 60, windowMs: hours(1) },
} satisfies Record<string, Limit>

type LimitName = keyof typeof limits

export type RateLimits = Record<LimitName, (key: string) => Allowance>

/** Numbers in place of those above. */
export type MaxRequests = Partial<Record<LimitName, number>>

/** Without RATE_LIMIT nothing is counted, and nobody ever waits. */
export function createRateLimits(ctx: PlatformContext, maxRequests: MaxRequests = {}): RateLimits {
  const names = Object.keys(limits) as LimitName[]
  const open = ctx.config.rateLimit ? openLimit : unlimited
  const limitOf = (name: LimitName): Limit => ({ ...limits[name], most: maxRequests[name] ?? limits[name].most })
  return Object.fromEntries(names.map((name) => [name, open(ctx, name, limitOf(name))])) as RateLimits
}

const maxPassed = 10_000

function openLimit(ctx: PlatformContext, limit: LimitName, { most, windowMs }: Limit): (key: string) => Allowance {
  const { clock, log } = ctx
  const counter = createSharedRateCounter(ctx, limit, windowMs)
  /** Where a count that all nodes share is beyond the limit, and until when: a flood must not become one of writes. */
  const passed = new RecentMap<string, number>(maxPassed)
  const secondsUntil = (time: number) => Math.max(1, Math.ceil((time - clock.now()) / 1000))

  return (key) => ({
    name: `${limit} ${key}`,
    async spend() {
      const passedUntil = passed.get(key) ?? 0
      if (passedUntil > clock.now()) return secondsUntil(passedUntil)
      const { count, endsAt } = await counter.add(key)
      if (count <= most) return null
      passed.set(key, endsAt)
      // Once in each window: a flood must not become one in the log.
      if (count === most + 1) log.warn({ limit, key }, 'A request limit has been reached')
      return secondsUntil(endsAt)
    },
    async wait() {
      const { count, endsAt } = await counter.look(key)
      return count < most ? null : secondsUntil(endsAt)
    },
  })
}

const unlimited =
  (_backends: PlatformContext, limit: LimitName) =>
  (key: string): Allowance => ({ name: `${limit} ${key}`, spend: async () => null, wait: async () => null })

export const rateLimited = (retryAfterSeconds: number, text?: string): AppError =>
  new AppError('RATE_LIMITED', { retryAfterSeconds, ...(text && { text }) })

/** Counts one, and throws RATE_LIMITED when that is beyond the limit. */
export async function spend(allowance: Allowance): Promise<void> {
  const seconds = await allowance.spend()
  if (seconds !== null) throw rateLimited(seconds)
}
