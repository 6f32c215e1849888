import { hours, minutes } from '../platform/clock.ts'
import type { DeliveryRow } from './delivery-rows.ts'
import type { Posted } from './post-to-receiver.ts'

export type Outcome =
  | { result: 'answered'; posted: Posted }
  /** No complete response: the delivery is retried. */
  | { result: 'unanswered'; reason: string; latencyMs: number | null }
  /** The address is not allowed or the webhook is inactive: the delivery fails at once, unsent. */
  | { result: 'refused' | 'inactive'; reason: string }
  /** Aborted by the end of this process, which is not a failure: due at once. */
  | { result: 'put-back' }

export type DeliveryState = Partial<
  Pick<DeliveryRow, 'status' | 'attempt_count' | 'next_attempt_at' | 'last_error' | 'completed_at'>
>

type Terms = { attempts: number; maxAttempts: number; now: number; random?: () => number }

/** After the first failure, the second, and so on; the last wait repeats. */
const waits = [minutes(1), minutes(5), minutes(30), hours(2), hours(5), hours(10), hours(10)]

const maxRetryAfterMs = hours(2)

/** For this many attempts `Retry-After` may be shorter than our own wait. */
const earlyReturns = 3

/** `attempts` includes this attempt. */
export function stateAfter(
  outcome: Outcome,
  { attempts, maxAttempts, now, random = Math.random }: Terms,
): DeliveryState {
  if (outcome.result === 'put-back') return { attempt_count: attempts - 1, next_attempt_at: now }
  if (isSuccess(outcome)) return { ...completed(now), status: 'success', last_error: null }
  const last_error = reasonOf(outcome)
  const failed = { ...completed(now), status: 'failed' as const, last_error }
  if (outcome.result === 'inactive') return { ...failed, attempt_count: attempts - 1 }
  if (isFinal(outcome) || attempts >= maxAttempts) return failed
  return { next_attempt_at: now + waitAfter(outcome, attempts, random), last_error }
}

const completed = (now: number) => ({ next_attempt_at: null, completed_at: now })

export const isSuccess = (outcome: Outcome): boolean =>
  outcome.result === 'answered' && outcome.posted.status >= 200 && outcome.posted.status < 300

export const isFailure = (outcome: Outcome): boolean =>
  !isSuccess(outcome) && outcome.result !== 'put-back' && outcome.result !== 'inactive'

/** 410 Gone means that the receiver wants no more deliveries. */
const isFinal = (outcome: Outcome): boolean =>
  outcome.result === 'refused' || (outcome.result === 'answered' && outcome.posted.status === 410)

/** Returns a sentence for operators, or null if nothing has failed. */
export function reasonOf(outcome: Outcome): string | null {
  if (outcome.result === 'put-back' || isSuccess(outcome)) return null
  if (outcome.result !== 'answered') return outcome.reason
  const { status } = outcome.posted
  if (status >= 300 && status < 400) return `The receiver answered ${status}; redirects are not followed.`
  return `The receiver answered ${status}.`
}

/** The longer wait protects a receiver that is down but always asks for a retry after one second. */
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
