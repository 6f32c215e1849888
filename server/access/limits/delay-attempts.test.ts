import { expect, test } from 'vitest'
import { catchAppErrorAsync } from '../../../tests/support/clients/app-errors.ts'
import { createKeyedMutex } from '../../platform/background/keyed-mutex.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { attempt, attemptPassword } from './delay-attempts.ts'
import type { Allowance } from './rate-limits.ts'

/** Returns an allowance that is reached after `most` failures and has no window. */
function failuresUpTo(most: number): Allowance & { spent: () => number } {
  let spent = 0
  return {
    name: 'test',
    spent: () => spent,
    consume: async () => (++spent > most ? 60 : null),
    wait: async () => (spent >= most ? 60 : null),
  }
}

const wrong = async () => {
  throw new AppError('INVALID_CREDENTIALS')
}
const throttle = { pauseMs: 20, maxWaiting: 5 }

test('a right attempt is not counted, and succeeds beyond the limit', async () => {
  const failures = failuresUpTo(1)
  expect(await attempt(failures, async () => 'in')).toBe('in')
  expect(failures.spent()).toBe(0)
  for (let index = 0; index < 3; index++) await catchAppErrorAsync(() => attempt(failures, wrong))
  expect(await attempt(failures, async () => 'in')).toBe('in')
})

test('a wrong attempt throws its own error within the limit, and RATE_LIMITED beyond it', async () => {
  const failures = failuresUpTo(2)
  const codes = []
  for (let index = 0; index < 4; index++) codes.push((await catchAppErrorAsync(() => attempt(failures, wrong)))?.code)
  expect(codes).toEqual(['INVALID_CREDENTIALS', 'INVALID_CREDENTIALS', 'RATE_LIMITED', 'RATE_LIMITED'])
  const appError = await catchAppErrorAsync(() => attempt(failures, wrong))
  expect(appError?.extras).toEqual({ retryAfterSeconds: 60 })
})

test('only failures that a guess can cause are counted', async () => {
  const counted = { INVALID_CREDENTIALS: 1, NOT_FOUND: 1, RECAPTCHA_FAILED: 1, ACCOUNT_LOCKED: 0, VALIDATION_ERROR: 0 }
  for (const [code, spent] of Object.entries(counted)) {
    const failures = failuresUpTo(5)
    const check = () => Promise.reject(new AppError(code as keyof typeof counted))
    expect((await catchAppErrorAsync(() => attempt(failures, check)))?.code).toBe(code)
    expect(failures.spent(), code).toBe(spent)
  }
  const failures = failuresUpTo(1)
  await expect(attempt(failures, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(failures.spent()).toBe(0)
})

test('by default rejects an attempt beyond the limit unchecked if 31 others wait after it', async () => {
  const access = { inTurn: createKeyedMutex() }
  // The first attempt starts at once, before the others arrive.
  const waits: Array<number | null> = [null, 60]
  const failures = { ...failuresUpTo(5), wait: async () => waits.shift() ?? null }
  const answers = await Promise.all(
    Array.from({ length: 33 }, () => catchAppErrorAsync(() => attemptPassword(access, failures, async () => 'in'))),
  )
  expect(answers.map((appError) => appError?.code)).toEqual([undefined, 'RATE_LIMITED', ...Array(31)])
  expect(answers[1]?.extras).toEqual({ retryAfterSeconds: 60 })
})

test('checks passwords beyond the limit one after another, with a pause before each', async () => {
  const access = { inTurn: createKeyedMutex() }
  const failures = failuresUpTo(0)
  const looks: number[] = []
  const check = async () => void looks.push(performance.now())
  const look = () => attemptPassword(access, failures, check, throttle)
  const startedAt = performance.now()
  await Promise.all([look(), look(), look()])
  // Lower bounds only: load can only make the pauses longer.
  expect(looks[0]).toBeGreaterThanOrEqual(startedAt + 18)
  expect(looks[2]).toBeGreaterThanOrEqual(startedAt + 3 * 18)
})

test('lets a few attempts wait beyond the limit, and rejects the oldest of a longer queue unchecked', async () => {
  const access = { inTurn: createKeyedMutex() }
  const failures = failuresUpTo(0)
  let looks = 0
  const look = async () => {
    looks++
  }
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => catchAppErrorAsync(() => attemptPassword(access, failures, look, throttle))),
  )
  // The first starts before others wait, and so do the last ones, with at most `maxWaiting` after each.
  expect(looks).toBe(1 + throttle.maxWaiting + 1)
  expect(answers.filter((appError) => appError?.code === 'RATE_LIMITED')).toHaveLength(50 - looks)
})

test('within the limit any number of attempts waits and none is rejected', async () => {
  const access = { inTurn: createKeyedMutex() }
  const entered = await Promise.all(
    Array.from({ length: 50 }, () => attemptPassword(access, failuresUpTo(1), async () => 'in', throttle)),
  )
  expect(entered).toEqual(Array(50).fill('in'))
})
