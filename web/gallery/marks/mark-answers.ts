export type Answer = {
  status: number
  /** Null when the body is not JSON, and so not from this service. */
  body: { success?: unknown; code?: unknown; error?: unknown } | null
  retryAfter: string | null
}

export type Outcome =
  | { is: 'taken' }
  /** Permanent. */
  | { is: 'refused'; status: number; code: string }
  /** Another guest uses the browser now. Only the guest who gave the mark can send it. */
  | { is: 'notTheirs' }
  | { is: 'sessionOver' }
  /** `all`: other marks would fail too. `waitMs`: the wait that the service requests, or 0. */
  | { is: 'later'; all: boolean; waitMs: number }

const passing = new Set([408, 425, 429])
const passingCodes: readonly unknown[] = ['IDEMPOTENCY_IN_PROGRESS']

/** Only responses of this service count, because captive portals and proxies can respond in its place. */
export function outcomeOf(answer: Answer | null, now: number): Outcome {
  if (answer === null) return { is: 'later', all: true, waitMs: 0 }
  const { status, body, retryAfter } = answer
  if (status < 300 && body?.success === true) return { is: 'taken' }
  const code = typeof body?.code === 'string' ? body.code : null
  if (status === 401 && code !== null) return { is: 'sessionOver' }
  if (status === 403 && code === 'FORBIDDEN') return { is: 'notTheirs' }
  const isForGood = status >= 400 && status < 500 && !passing.has(status) && !passingCodes.includes(code)
  if (isForGood && code !== null) return { is: 'refused', status, code }
  // A mark that fails in the service must not delay the others.
  const isItsOwn = code === 'INTERNAL_ERROR' || passingCodes.includes(code)
  return { is: 'later', all: !isItsOwn, waitMs: waitAskedFor(retryAfter, now) }
}

const maxQueryLength = 15 * 60_000

/** Parses seconds or a date. Returns milliseconds, limited to a reasonable time. */
function waitAskedFor(retryAfter: string | null, now: number): number {
  if (!retryAfter) return 0
  const wait = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now
  return Number.isFinite(wait) && wait > 0 ? Math.min(wait, maxQueryLength) : 0
}

const firstWait = 2_000
const maxWait = 5 * 60_000

/** Returns milliseconds. `attempts` starts at 1; `chance` from 0 to 1 spreads the retries of many guests. */
export const waitAfter = (attempts: number, chance: number): number =>
  Math.min(firstWait * 2 ** (attempts - 1), maxWait) * (0.5 + chance / 2)
