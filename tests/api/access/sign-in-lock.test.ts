import { describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { createAccount, signIn } from '../../support/fixtures/accounts.ts'
import {
  adminPassword,
  createMovableClock,
  serviceForFile,
  serviceForTest,
  type TestService,
} from '../../support/service/test-service.ts'

const minute = 60_000
const service = await serviceForFile()

async function failSignIns(to: TestService, username: string, times: number) {
  for (let attempt = 0; attempt < times; attempt++) {
    expectProblem(await signIn(to, username, 'wrong'), 401, 'INVALID_CREDENTIALS')
  }
}

describe('five failures in 15 minutes lock an account for 30 minutes', () => {
  test('the sixth attempt is 423 with retryAfter and Retry-After, even with the correct password', async () => {
    const { username, password } = await createAccount(service, 'admin')
    await failSignIns(service, username, 5)
    const locked = await signIn(service, username, password)
    expectProblem(locked, 423, 'ACCOUNT_LOCKED')
    expect(locked.body.retryAfter).toBeGreaterThan(29 * 60)
    expect(locked.body.retryAfter).toBeLessThanOrEqual(30 * 60)
    expect(locked.headers.get('retry-after')).toBe(String(locked.body.retryAfter))
  })

  test('unknown names lock alike', async () => {
    await failSignIns(service, 'nobody-at-all', 5)
    expectProblem(await signIn(service, 'nobody-at-all', 'wrong'), 423, 'ACCOUNT_LOCKED')
  })

  test('a name counts in any case, and does not show which mail address belongs to it', async () => {
    const { username, email, password } = await createAccount(service, 'admin')
    await failSignIns(service, username, 4)
    await failSignIns(service, username.toUpperCase(), 1)
    expectProblem(await signIn(service, username, password), 423, 'ACCOUNT_LOCKED')
    await failSignIns(service, email, 5)
    expectProblem(await signIn(service, email, password), 423, 'ACCOUNT_LOCKED')
  })

  test('other accounts are not locked', async () => {
    await failSignIns(service, 'somebody-else', 5)
    expect((await signIn(service, 'admin', adminPassword)).status).toBe(200)
  })

  test('a correct password resets the count', async () => {
    const { username, password } = await createAccount(service, 'admin')
    await failSignIns(service, username, 4)
    expect((await signIn(service, username, password)).status).toBe(200)
    await failSignIns(service, username, 4)
    expect((await signIn(service, username, password)).status).toBe(200)
  })

  test('the lock ends after 30 minutes; failures count for 15', async () => {
    const clock = createMovableClock()
    const timed = await serviceForTest({ edges: { clock } })
    await failSignIns(timed, 'admin', 5)
    clock.advance(30 * minute - 5_000)
    expectProblem(await signIn(timed, 'admin', adminPassword), 423, 'ACCOUNT_LOCKED')
    clock.advance(10_000)
    expect((await signIn(timed, 'admin', adminPassword)).status).toBe(200)

    await failSignIns(timed, 'admin', 4)
    clock.advance(15 * minute + 1_000)
    await failSignIns(timed, 'admin', 1)
    expect((await signIn(timed, 'admin', adminPassword)).status).toBe(200)
  })

  test('simultaneous correct sign-ins are no failures', async () => {
    const { username, password } = await createAccount(service, 'admin')
    const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(service, username, password)))
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
  })

  test('parallel guesses cannot bypass the lock', async () => {
    const { username, password } = await createAccount(service, 'admin')
    const guesses = await Promise.all(Array.from({ length: 20 }, () => signIn(service, username, 'wrong')))
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(guesses.filter(({ status }) => status === 423)).toHaveLength(15)
    expectProblem(await signIn(service, username, password), 423, 'ACCOUNT_LOCKED')
  })
})

test('unknown users take as long as known ones', async () => {
  const names = { known: [] as string[], unknown: [] as string[] }
  for (let index = 0; index < 3; index++) {
    names.known.push(...Array(4).fill((await createAccount(service, 'viewer')).username))
    names.unknown.push(...Array(4).fill(`stranger-${index}`))
  }
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let index = 0; index < names.known.length; index++) {
    for (const kind of ['known', 'unknown'] as const) {
      const before = process.cpuUsage()
      await signIn(service, names[kind][index] as string, 'wrong')
      const { user, system } = process.cpuUsage(before)
      times[kind].push(user + system)
    }
  }
  const ratio = median(times.known) / median(times.unknown)
  expect(ratio).toBeGreaterThan(0.5)
  expect(ratio).toBeLessThan(2)
})

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number
