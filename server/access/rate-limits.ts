import { AppError } from '../platform/app-error.ts'
import { RecentMap } from '../platform/background/recent-map.ts'
import { createSharedRateCounter } from '../platform/background/shared-rate-counter.ts'
import { hours, minutes } from '../platform/clock.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

/** The use of one limit by one key: an address, gallery or guest. */
export type Allowance = {
  /** Limit and key. */
  name: string
  /** Counts one. Returns the seconds to wait if the limit is exceeded, and otherwise null. */
  spend: () => Promise<number | null>
  /** Returns the seconds to wait if the limit is reached, and otherwise null. Does not count. */
  wait: () => Promise<number | null>
}

type Limit = { most: number; windowMs: number }

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
  /** Changes by a guest. */
  guestWrites: { most: 120, windowMs: minutes(1) },
  /** Submitted selections of a guest; each sends a mail. */
  guestSelections: { most: 20, windowMs: hours(1) },
  /** Mails about selections, per gallery. Further selections are stored without a mail. */
  selectionMails: { most: 60, windowMs: hours(1) },
} satisfies Record<string, Limit>

type LimitName = keyof typeof limits

export type RateLimits = Record<LimitName, (key: string) => Allowance>

/** Replaces the limits above. */
export type MaxRequests = Partial<Record<LimitName, number>>

/** Without RATE_LIMIT nothing is counted or limited. */
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
  /** Keys beyond the shared limit and the end of their window: a flood of requests must not cause a flood of writes. */
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
      // Once per window, so that a flood of requests does not flood the log.
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

/** Throws RATE_LIMITED if the limit is exceeded. */
export async function spend(allowance: Allowance): Promise<void> {
  const seconds = await allowance.spend()
  if (seconds !== null) throw rateLimited(seconds)
}
