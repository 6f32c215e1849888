import { beforeEach, describe, expect, test } from 'vitest'
import { catchAppErrorAsync } from '../../../tests/support/clients/app-errors.ts'
import { memoryDatabase } from '../../../tests/support/database/memory-database.ts'
import { createKeyedMutex } from '../../platform/background/keyed-mutex.ts'
import { minutes } from '../../platform/time/clock.ts'
import type { AccessContext } from '../access.ts'
import { clearFailures, countAttempt, pruneFailures, tryPassword } from './sign-in-lock.ts'

const { db } = await memoryDatabase()

beforeEach(() => db.deleteFrom('sign_in_failures').execute())

/** The clock starts at a full second, so that all times are exact. */
function lockForTest() {
  let now = 1_700_000_000_000
  const clock = { now: () => now, advance: (ms: number) => (now += ms) }
  const ctx = { db, clock, access: { inTurn: createKeyedMutex() } } as unknown as AccessContext
  const attempt = (name = 'ana', address = '192.0.2.7') => catchAppErrorAsync(() => countAttempt(ctx, name, address))
  const failTimes = async (count: number) => {
    for (let times = 0; times < count; times++) expect(await attempt()).toBeNull()
  }
  return { ctx, clock, attempt, failTimes }
}

describe('after 5 failures in 15 minutes', () => {
  test('an account is locked for 30 minutes, which further attempts do not extend', async () => {
    const { clock, attempt, failTimes } = lockForTest()
    await failTimes(5)
    const appError = await attempt()
    expect(appError?.code).toBe('ACCOUNT_LOCKED')
    expect(appError?.extras).toEqual({ retryAfterSeconds: 30 * 60, body: { retryAfter: 30 * 60 } })
    clock.advance(minutes(20))
    expect((await attempt())?.extras.retryAfterSeconds).toBe(10 * 60)
    clock.advance(minutes(10) - 1)
    expect((await attempt())?.extras.retryAfterSeconds).toBe(1)
    clock.advance(1)
    await failTimes(5)
    expect((await attempt())?.code).toBe('ACCOUNT_LOCKED')
  })

  test('the same name is not locked from another address, nor another name from this one', async () => {
    const { attempt, failTimes } = lockForTest()
    await failTimes(5)
    expect(await attempt('ana', '192.0.2.8')).toBeNull()
    expect(await attempt('ben')).toBeNull()
  })
})

test('concurrent guesses are counted', async () => {
  const { attempt } = lockForTest()
  const appErrors = await Promise.all(Array.from({ length: 30 }, () => attempt()))
  expect(appErrors.filter((appError) => appError === null)).toHaveLength(5)
})

test('failures within 15 minutes of the first one are counted together, and forgotten after that', async () => {
  const { clock, failTimes, attempt } = lockForTest()
  await failTimes(4)
  clock.advance(minutes(15))
  await failTimes(1)
  clock.advance(minutes(10))
  await failTimes(3)
  clock.advance(minutes(5) - 1)
  await failTimes(1)
  expect((await attempt())?.code).toBe('ACCOUNT_LOCKED')
})

test('a right password deletes earlier failures', async () => {
  const { ctx, failTimes, attempt } = lockForTest()
  await failTimes(4)
  await clearFailures(ctx, 'ana', '192.0.2.7')
  await failTimes(5)
  expect((await attempt())?.code).toBe('ACCOUNT_LOCKED')
})

test('pruning old rows never removes a lock', async () => {
  const { ctx, clock, failTimes, attempt } = lockForTest()
  await failTimes(4)
  clock.advance(minutes(14))
  await failTimes(1)
  clock.advance(minutes(29))
  await pruneFailures(ctx)
  expect((await attempt())?.code).toBe('ACCOUNT_LOCKED')
  clock.advance(minutes(3))
  await pruneFailures(ctx)
  expect(await ctx.db.selectFrom('sign_in_failures').selectAll().execute()).toEqual([])
})

test('rows are stored for 45 minutes, the longest time they can lock', async () => {
  const { ctx, clock, failTimes } = lockForTest()
  const stored = async () => (await db.selectFrom('sign_in_failures').selectAll().execute()).length
  await failTimes(1)
  clock.advance(minutes(45))
  await pruneFailures(ctx)
  expect(await stored()).toBe(1)
  clock.advance(1)
  await pruneFailures(ctx)
  expect(await stored()).toBe(0)
})

describe('one attempt at a password', () => {
  const account = { accounts: ['ana'] as [string], address: '192.0.2.7' }

  function tryFor(options: { hasSecondFactor?: boolean; text?: string } = {}) {
    const { ctx, failTimes } = lockForTest()
    const attempt = (isCorrect: boolean) =>
      catchAppErrorAsync(() => tryPassword(ctx, { ...account, ...options, isCorrect: async () => isCorrect }))
    const stored = () => db.selectFrom('sign_in_failures').select(['failures', 'locked_until']).execute()
    return { ctx, failTimes, attempt, stored }
  }

  test('that is wrong throws INVALID_CREDENTIALS, with a given text, and counts', async () => {
    const { attempt, stored } = tryFor()
    expect((await attempt(false))?.code).toBe('INVALID_CREDENTIALS')
    expect((await attempt(false))?.extras).toStrictEqual({})
    expect(await stored()).toEqual([{ failures: 2, locked_until: null }])
    const { attempt: attemptCode } = tryFor({ text: 'The code is wrong.' })
    expect((await attemptCode(false))?.extras).toEqual({ text: 'The code is wrong.' })
  })

  test('that is right deletes earlier failures', async () => {
    const { attempt, failTimes, stored } = tryFor()
    await failTimes(4)
    expect(await attempt(true)).toBeNull()
    expect(await stored()).toEqual([])
  })

  test('that is right, with a second factor to follow, keeps earlier failures and is not counted', async () => {
    const { attempt, failTimes, stored } = tryFor({ hasSecondFactor: true })
    await failTimes(4)
    expect(await attempt(true)).toBeNull()
    expect(await attempt(true)).toBeNull()
    expect(await stored()).toEqual([{ failures: 4, locked_until: null }])
    expect((await attempt(false))?.code).toBe('INVALID_CREDENTIALS')
    expect((await attempt(true))?.code).toBe('ACCOUNT_LOCKED')
  })

  test('changes nothing for other accounts', async () => {
    const { ctx, attempt } = tryFor()
    const other = tryFor({ hasSecondFactor: true })
    await catchAppErrorAsync(() => countAttempt(ctx, 'ben', account.address))
    await attempt(true)
    await other.attempt(true)
    const rows = await db.selectFrom('sign_in_failures').select(['lock_key', 'failures']).orderBy('lock_key').execute()
    expect(rows).toEqual([
      { lock_key: 'ana 192.0.2.7', failures: 0 },
      { lock_key: 'ben 192.0.2.7', failures: 1 },
    ])
  })

  test('is not checked while the account is locked', async () => {
    const { ctx, failTimes } = tryFor()
    await failTimes(5)
    let isAsked = false
    const isCorrect = async () => {
      isAsked = true
      return true
    }
    expect((await catchAppErrorAsync(() => tryPassword(ctx, { ...account, isCorrect })))?.code).toBe('ACCOUNT_LOCKED')
    expect(isAsked).toBe(false)
  })

  test('does not fail if concurrent attempts are right', async () => {
    const { attempt, stored } = tryFor()
    const appErrors = await Promise.all(Array.from({ length: 10 }, () => attempt(true)))
    expect(appErrors.filter((appError) => appError !== null)).toEqual([])
    expect(await stored()).toEqual([])
  })
})
