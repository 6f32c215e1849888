import { describe, expect, test } from 'vitest'
import { refusalOf } from '../../tests/support/refusals.ts'
import { houseForTest } from '../../tests/support/test-house.ts'
import { movableClock } from '../../tests/support/test-service.ts'
import { minutes } from '../platform/clock.ts'
import { countAttempt, forgetFailures, pruneFailures } from './sign-in-lock.ts'

async function lockForTest() {
  const clock = movableClock()
  const house = await houseForTest({ edges: { clock } })
  const attempt = (name = 'ana', address = '192.0.2.7') => refusalOf(() => countAttempt(house, name, address))
  const failTimes = async (count: number) => {
    for (let times = 0; times < count; times++) expect(await attempt()).toBeNull()
  }
  return { house, clock, attempt, failTimes }
}

describe('after 5 failures in 15 minutes', () => {
  test('an account is locked for 30 minutes, and told for how long', async () => {
    const { clock, attempt, failTimes } = await lockForTest()
    await failTimes(5)
    const refusal = await attempt()
    expect(refusal?.code).toBe('ACCOUNT_LOCKED')
    const seconds = Number(refusal?.extras.retryAfterSeconds)
    expect(seconds).toBeGreaterThan(29 * 60)
    expect(seconds).toBeLessThanOrEqual(30 * 60)
    expect(refusal?.extras.body).toEqual({ retryAfter: seconds })
    clock.advance(minutes(29))
    expect((await attempt())?.code).toBe('ACCOUNT_LOCKED')
    clock.advance(minutes(1) + 1000)
    await failTimes(5)
    expect((await attempt())?.code).toBe('ACCOUNT_LOCKED')
  })

  test('trying again does not make the lock longer', async () => {
    const { clock, attempt, failTimes } = await lockForTest()
    await failTimes(5)
    clock.advance(minutes(20))
    expect((await attempt())?.extras.retryAfterSeconds).toBeLessThanOrEqual(10 * 60)
    clock.advance(minutes(10) + 1000)
    expect(await attempt()).toBeNull()
  })

  test('the same name is not locked from another address, nor another name from this one', async () => {
    const { attempt, failTimes } = await lockForTest()
    await failTimes(5)
    expect(await attempt('ana', '192.0.2.8')).toBeNull()
    expect(await attempt('ben')).toBeNull()
  })

  test('the name is locked however it is written', async () => {
    const { attempt, failTimes } = await lockForTest()
    await failTimes(5)
    expect((await attempt('ANA'))?.code).toBe('ACCOUNT_LOCKED')
    expect((await attempt('ａｎａ'))?.code).toBe('ACCOUNT_LOCKED')
  })
})

test('guesses sent at the same moment do not slip through', async () => {
  const { attempt } = await lockForTest()
  const refusals = await Promise.all(Array.from({ length: 30 }, () => attempt()))
  expect(refusals.filter((refusal) => refusal === null)).toHaveLength(5)
})

test('failures are forgotten after 15 minutes', async () => {
  const { clock, failTimes } = await lockForTest()
  await failTimes(4)
  clock.advance(minutes(15))
  await failTimes(5)
})

test('a right password forgets the failures before it', async () => {
  const { house, failTimes, attempt } = await lockForTest()
  await failTimes(4)
  await forgetFailures(house, 'Ana', '192.0.2.7')
  await failTimes(5)
  expect((await attempt())?.code).toBe('ACCOUNT_LOCKED')
})

test('clearing old records never opens a lock', async () => {
  const { house, clock, failTimes, attempt } = await lockForTest()
  await failTimes(4)
  clock.advance(minutes(14))
  await failTimes(1)
  clock.advance(minutes(29))
  await pruneFailures(house)
  expect((await attempt())?.code).toBe('ACCOUNT_LOCKED')
  clock.advance(minutes(3))
  await pruneFailures(house)
  expect(await house.db.selectFrom('sign_in_failures').selectAll().execute()).toEqual([])
})
