export type MarkResponse = {
  status: number
  /** Null when the body is not JSON. Such a response is not from this service. */
  body: { success?: unknown; code?: unknown; error?: unknown } | null
  retryAfter: string | null
}

export type Outcome =
  | { is: 'taken' }
  /** Permanently rejected. `locked`: the picks of the guest were sent, so no mark of the gallery can be sent now. */
  | { is: 'refused' | 'locked'; status: number; code: string }
  /** Another guest uses the browser now. Only the guest who gave the mark can send it. */
  | { is: 'notTheirs' }
  | { is: 'sessionOver' }
  /** `all`: other marks would fail too. `waitMs`: the wait that the service requests, or 0. */
  | { is: 'later'; all: boolean; waitMs: number }

const temporaryStatuses = new Set([408, 425, 429])
const temporaryCodes: readonly unknown[] = ['IDEMPOTENCY_IN_PROGRESS']

/** Captive portals and proxies can respond in place of the service. Such responses do not accept or reject a mark. */
export function getOutcome(response: MarkResponse | null, now: number): Outcome {
  if (response === null) return { is: 'later', all: true, waitMs: 0 }
  const { status, body, retryAfter } = response
  if (status < 300 && body?.success === true) return { is: 'taken' }
  const code = typeof body?.code === 'string' ? body.code : null
  if (status === 401 && code !== null) return { is: 'sessionOver' }
  if (status === 403 && code === 'FORBIDDEN') return { is: 'notTheirs' }
  const isPermanent = status >= 400 && status < 500 && !temporaryStatuses.has(status) && !temporaryCodes.includes(code)
  if (isPermanent && code !== null) return { is: code === 'SELECTION_LOCKED' ? 'locked' : 'refused', status, code }
  // An error that concerns only this mark must not delay the other marks.
  const isMarkSpecific = code === 'INTERNAL_ERROR' || temporaryCodes.includes(code)
  return { is: 'later', all: !isMarkSpecific, waitMs: parseRetryAfterMs(retryAfter, now) }
}

const maxRetryAfterMs = 15 * 60_000

/** Parses a `Retry-After` header (seconds or a date). Returns milliseconds, at most 15 minutes. */
function parseRetryAfterMs(retryAfter: string | null, now: number): number {
  if (!retryAfter) return 0
  const wait = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now
  return Number.isFinite(wait) && wait > 0 ? Math.min(wait, maxRetryAfterMs) : 0
}

const firstWaitMs = 2_000
const maxWaitMs = 5 * 60_000

/** `attempts` starts at 1. `chance` is a random number from 0 to 1 that spreads the retries of many guests. */
export const getRetryDelayMs = (attempts: number, chance: number): number =>
  Math.min(firstWaitMs * 2 ** (attempts - 1), maxWaitMs) * (0.5 + chance / 2)
