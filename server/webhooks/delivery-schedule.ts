import { hours, minutes } from '../platform/clock.ts'
import type { DeliveryRow } from './delivery-rows.ts'
import type { Posted } from './post-to-receiver.ts'

/** What has come of one attempt. */
export type Outcome =
  | { result: 'answered'; posted: Posted }
  /** No whole answer came: tried again. */
  | { result: 'unanswered'; reason: string; latencyMs: number | null }
  /** Nothing may be sent there, or nothing is wanted any more: fails at once, and nothing was sent. */
  | { result: 'refused' | 'inactive'; reason: string }
  /** Broken off by the end of this process, which is no failure: due again at once. */
  | { result: 'put-back' }

export type DeliveryState = Partial<
  Pick<DeliveryRow, 'status' | 'attempt_count' | 'next_attempt_at' | 'last_error' | 'completed_at'>
>

type Terms = { attempts: number; maxAttempts: number; now: number; random?: () => number }

/** After the first failure, the second, …; the last for all that come after it. */
const waits = [minutes(1), minutes(5), minutes(30), hours(2), hours(5), hours(10), hours(10)]

const maxRetryAfterMs = hours(2)

/** So many times a receiver may call us back as early as it likes; only then our own waits begin for it. */
const earlyReturns = 3

/** The one way from what has happened to what happens next. `attempts`: this one included. */
export function stateAfter(
  outcome: Outcome,
  { attempts, maxAttempts, now, random = Math.random }: Terms,
): DeliveryState {
  if (outcome.result === 'put-back') return { attempt_count: attempts - 1, next_attempt_at: now }
  if (isSuccess(outcome)) return { ...completed(now), status: 'success', last_error: null }
  const last_error = reasonOf(outcome)
  const failed = { ...completed(now), status: 'failed' as const, last_error }
  // Nothing was sent that would count.
  if (outcome.result === 'inactive') return { ...failed, attempt_count: attempts - 1 }
  if (isFinal(outcome) || attempts >= maxAttempts) return failed
  return { next_attempt_at: now + waitAfter(outcome, attempts, random), last_error }
}

const completed = (now: number) => ({ next_attempt_at: null, completed_at: now })

export const isSuccess = (outcome: Outcome): boolean =>
  outcome.result === 'answered' && outcome.posted.status >= 200 && outcome.posted.status < 300

/** Whether it says something about the receiver: that it does not answer as it should. */
export const isFailure = (outcome: Outcome): boolean =>
  !isSuccess(outcome) && outcome.result !== 'put-back' && outcome.result !== 'inactive'

/** 410: the receiver wants no more of this. */
const isFinal = (outcome: Outcome): boolean =>
  outcome.result === 'refused' || (outcome.result === 'answered' && outcome.posted.status === 410)

/** A sentence for an operator; null where nothing has gone wrong. */
export function reasonOf(outcome: Outcome): string | null {
  if (outcome.result === 'put-back' || isSuccess(outcome)) return null
  if (outcome.result !== 'answered') return outcome.reason
  const { status } = outcome.posted
  if (status >= 300 && status < 400) return `The receiver answered ${status}; redirects are not followed.`
  return `The receiver answered ${status}.`
}

/**
 * What a receiver asks for with `Retry-After` replaces our own wait three times. From then on our waits begin, with the
 * first, and it is what is longer: one that always says "in a second" would have used up its attempts before it is up
 * again.
 */
function waitAfter(outcome: Outcome, attempts: number, random: () => number): number {
  const asked = outcome.result === 'answered' ? outcome.posted.retryAfterMs : null
  if (asked === null) return ourWait(attempts, random)
  const theirs = Math.min(asked, maxRetryAfterMs)
  return attempts <= earlyReturns ? theirs : Math.max(ourWait(attempts - earlyReturns, random), theirs)
}

function ourWait(failures: number, random: () => number): number {
  const wait = waits[Math.min(failures, waits.length) - 1] ?? 0
  return Math.round(wait * (0.9 + random() * 0.2))
}
