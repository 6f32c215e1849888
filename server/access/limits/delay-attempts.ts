import { setTimeout } from 'node:timers/promises'
import { AppError } from '../../platform/errors/app-error.ts'
import { seconds } from '../../platform/time/clock.ts'
import type { Access } from '../access.ts'
import { type Allowance, rateLimited } from './rate-limits.ts'

/** Beyond the limit, an attempt is delayed by `pauseMs`, or rejected if more than `maxWaiting` others wait. */
const throttle = { pauseMs: seconds(1), maxWaiting: 30 }

/** Counts only failed attempts. Beyond the limit throws RATE_LIMITED instead of the error of `signIn`. */
export async function attempt<T>(failures: Allowance, signIn: () => Promise<T>): Promise<T> {
  try {
    return await signIn()
  } catch (error) {
    if (!isFailure(error)) throw error
    const retryAfterSeconds = await failures.consume()
    throw retryAfterSeconds === null ? error : rateLimited(retryAfterSeconds)
  }
}

/**
 * Attempts with the same key run one after another, so that concurrent guesses are counted. Beyond the limit at
 * most one attempt per second runs. Throws RATE_LIMITED if too many wait, or for a failure beyond the limit.
 */
export function attemptPassword<T>(
  access: Pick<Access, 'inTurn'>,
  failures: Allowance,
  signIn: () => Promise<T>,
  { pauseMs, maxWaiting } = throttle,
): Promise<T> {
  return access.inTurn(failures.name, async (waiting) => {
    const retryAfterSeconds = await failures.wait()
    if (retryAfterSeconds !== null) {
      if (waiting > maxWaiting) throw rateLimited(retryAfterSeconds)
      await setTimeout(pauseMs)
    }
    return attempt(failures, signIn)
  })
}

const failures = new Set<string>(['INVALID_CREDENTIALS', 'NOT_FOUND', 'RECAPTCHA_FAILED'])

const isFailure = (error: unknown): boolean => error instanceof AppError && failures.has(error.code)
