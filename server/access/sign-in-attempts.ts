import { setTimeout } from 'node:timers/promises'
import { AppError } from '../platform/app-error.ts'
import { seconds } from '../platform/clock.ts'
import type { Access } from './access.ts'
import { type Allowance, rateLimited } from './rate-limits.ts'

/** What guesses beyond the limit cost: the pause before each, and how many may stand in line for it. */
const brakes = { pauseMs: seconds(1), maxWaiting: 30 }

/**
 * One attempt to sign in. Only a failure is counted; beyond the limit it is answered RATE_LIMITED instead of what it
 * was. What is right enters at all times.
 */
export async function attempt<T>(failures: Allowance, signIn: () => Promise<T>): Promise<T> {
  try {
    return await signIn()
  } catch (error) {
    if (!isFailure(error)) throw error
    const retryAfterSeconds = await failures.spend()
    throw retryAfterSeconds === null ? error : rateLimited(retryAfterSeconds)
  }
}

/**
 * One attempt at a password, which is costly to look at. Attempts that are counted together take turns, so that
 * simultaneous guesses are counted, and an address that has used up its failures gets one look a second.
 */
export function attemptPassword<T>(
  access: Pick<Access, 'inTurn'>,
  failures: Allowance,
  signIn: () => Promise<T>,
  { pauseMs, maxWaiting } = brakes,
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

/** Wrong credentials, links to nothing, and programs that pose as people. */
const failures = new Set<string>(['INVALID_CREDENTIALS', 'NOT_FOUND', 'RECAPTCHA_FAILED'])

const isFailure = (error: unknown): boolean => error instanceof AppError && failures.has(error.code)
