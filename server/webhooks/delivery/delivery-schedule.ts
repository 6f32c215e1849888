import { must } from '../../../contract/must.ts'
import { hours, minutes } from '../../platform/time/clock.ts'
import type { DeliveryRow } from '../delivery-rows.ts'
import type { ReceiverResponse } from '../receivers/post-to-receiver.ts'

export type Outcome =
  | { result: 'answered'; response: ReceiverResponse }
  /** No complete response: the delivery is retried until it has had all its attempts. */
  | { result: 'unanswered'; reason: string; latencyMs: number | null }
  /** The address is not allowed, the webhook may not get the delivery or the body is too large: fails at once, unsent. */
  | { result: 'refused' | 'inactive'; reason: string }
  /** Aborted because this process ends. Not a failure: the delivery is due at once. */
  | { result: 'put-back' }

export type DeliveryState = Partial<
  Pick<DeliveryRow, 'status' | 'attempt_count' | 'next_attempt_at' | 'last_error' | 'completed_at'>
>

type RetryOptions = { attempts: number; maxAttempts: number; now: number; random?: () => number }

/** The waits after the first failure, the second and so on. The last wait repeats. */
const scheduledDelaysMs = [minutes(1), minutes(5), minutes(30), hours(2), hours(5), hours(10), hours(10)]

const maxRetryAfterMs = hours(2)

/** For this many retries, `Retry-After` replaces the scheduled delay, even if `Retry-After` is shorter. */
const maxEarlyRetries = 3

/** Returns the columns that change after an attempt. `attempts` includes this attempt. */
export function stateAfter(
  outcome: Outcome,
  { attempts, maxAttempts, now, random = Math.random }: RetryOptions,
): DeliveryState {
  if (outcome.result === 'put-back') return { attempt_count: attempts - 1, next_attempt_at: now }
  if (isSuccess(outcome)) return { ...completed(now), status: 'success', last_error: null }
  const last_error = failureReason(outcome)
  const failed = { ...completed(now), status: 'failed' as const, last_error }
  if (outcome.result === 'inactive') return { ...failed, attempt_count: attempts - 1 }
  if (isFinal(outcome) || attempts >= maxAttempts) return failed
  return { next_attempt_at: now + retryDelayMs(outcome, attempts, random), last_error }
}

const completed = (now: number) => ({ next_attempt_at: null, completed_at: now })

export const isSuccess = (outcome: Outcome): boolean =>
  outcome.result === 'answered' && outcome.response.status >= 200 && outcome.response.status < 300

export const isFailure = (outcome: Outcome): boolean =>
  !isSuccess(outcome) && outcome.result !== 'put-back' && outcome.result !== 'inactive'

/** 410 Gone means that the receiver wants no more deliveries. */
const isFinal = (outcome: Outcome): boolean =>
  outcome.result === 'refused' || (outcome.result === 'answered' && outcome.response.status === 410)

/** Returns a sentence for operators, or null if nothing has failed. */
export function failureReason(outcome: Outcome): string | null {
  if (outcome.result === 'put-back' || isSuccess(outcome)) return null
  if (outcome.result !== 'answered') return outcome.reason
  const { status } = outcome.response
  if (status >= 300 && status < 400) return `The receiver responded with ${status}. Redirects are not followed.`
  return `The receiver responded with ${status}.`
}

/**
 * For the first `maxEarlyRetries` retries, `Retry-After` applies. Then the longer of `Retry-After` and the scheduled
 * delay applies, and the schedule starts with its first delay. Otherwise a receiver that is down and always sends
 * `Retry-After: 1` would soon use up all attempts.
 */
function retryDelayMs(outcome: Outcome, attempts: number, random: () => number): number {
  const asked = outcome.result === 'answered' ? outcome.response.retryAfterMs : null
  if (asked === null) return scheduledDelayMs(attempts, random)
  const requestedDelayMs = Math.min(asked, maxRetryAfterMs)
  return attempts <= maxEarlyRetries
    ? requestedDelayMs
    : Math.max(scheduledDelayMs(attempts - maxEarlyRetries, random), requestedDelayMs)
}

function scheduledDelayMs(failures: number, random: () => number): number {
  const wait = must(scheduledDelaysMs[Math.min(failures, scheduledDelaysMs.length) - 1], 'a scheduled delay')
  return Math.round(wait * (0.9 + random() * 0.2))
}
