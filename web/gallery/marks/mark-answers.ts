/** What came back for a mark; null where nothing did. */
export type Answer = {
  status: number
  /** Null for what is not JSON: it is not our service that says it. */
  body: { success?: unknown; code?: unknown; error?: unknown } | null
  /** The header `Retry-After`. */
  retryAfter: string | null
}

/** What an answer means for the mark it answers. */
export type Outcome =
  | { is: 'taken' }
  /** For good. */
  | { is: 'refused'; status: number; code: string }
  /** Somebody else uses the browser now; it is theirs to send who gave it. */
  | { is: 'notTheirs' }
  | { is: 'sessionOver' }
  /** `all`: other marks would fare no better. `waitMs`: as the service asks; 0 where it does not. */
  | { is: 'later'; all: boolean; waitMs: number }

/** Answers to be had again in a while although their status says that it is the sender's fault. */
const passing = new Set([408, 425, 429])
const passingCodes: readonly unknown[] = ['IDEMPOTENCY_IN_PROGRESS']

/**
 * Only what our own service says counts as a yes or as a no: networks that want a sign-in of their own, and proxies,
 * answer in its place.
 */
export function outcomeOf(answer: Answer | null, now: number): Outcome {
  if (answer === null) return { is: 'later', all: true, waitMs: 0 }
  const { status, body, retryAfter } = answer
  if (status < 300 && body?.success === true) return { is: 'taken' }
  const code = typeof body?.code === 'string' ? body.code : null
  if (status === 401 && code !== null) return { is: 'sessionOver' }
  if (status === 403 && code === 'FORBIDDEN') return { is: 'notTheirs' }
  const isForGood = status >= 400 && status < 500 && !passing.has(status) && !passingCodes.includes(code)
  if (isForGood && code !== null) return { is: 'refused', status, code }
  // A mark that our service stumbles over must not hold up the others.
  const isItsOwn = code === 'INTERNAL_ERROR' || passingCodes.includes(code)
  return { is: 'later', all: !isItsOwn, waitMs: waitAskedFor(retryAfter, now) }
}

const maxQueryLength = 15 * 60_000

/** In seconds or as a date; never longer than is reasonable for a person who waits. */
function waitAskedFor(retryAfter: string | null, now: number): number {
  if (!retryAfter) return 0
  const wait = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now
  return Number.isFinite(wait) && wait > 0 ? Math.min(wait, maxQueryLength) : 0
}

const firstWait = 2_000
const maxWait = 5 * 60_000

/** How long to wait after so many attempts in vain, the first being 1. `chance` from 0 to 1 spreads those of many guests. */
export const waitAfter = (attempts: number, chance: number): number =>
  Math.min(firstWait * 2 ** (attempts - 1), maxWait) * (0.5 + chance / 2)
