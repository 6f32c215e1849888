import { expect, test } from 'vitest'
import { minutes } from '../../../server/platform/time/clock.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { createAccount, signIn } from '../../support/fixtures/accounts.ts'
import { adminPassword, createMovableClock, serviceForFile } from '../../support/service/test-service.ts'

const clock = createMovableClock()
const service = await serviceForFile({ edges: { clock } })

async function failSignIns(username: string, times: number) {
  for (let attempt = 0; attempt < times; attempt++) {
    expectProblem(await signIn(service, username, 'wrong'), 401, 'INVALID_CREDENTIALS')
  }
}

test('a name counts in any case, and apart from its mail address; unknown names lock alike', async () => {
  const { username, email, password } = await createAccount(service, 'admin')
  await failSignIns(username, 4)
  await failSignIns(username.toUpperCase(), 1)
  expectProblem(await signIn(service, username, password), 423, 'ACCOUNT_LOCKED')
  await failSignIns(email, 5)
  expectProblem(await signIn(service, email, password), 423, 'ACCOUNT_LOCKED')
  await failSignIns('nobody-at-all', 5)
  expectProblem(await signIn(service, 'nobody-at-all', 'wrong'), 423, 'ACCOUNT_LOCKED')
  expect((await signIn(service, 'admin', adminPassword)).status).toBe(200)
})

test('a correct password resets the count; the lock ends after 30 minutes', async () => {
  const { username, password } = await createAccount(service, 'admin')
  for (let round = 0; round < 2; round++) {
    await failSignIns(username, 4)
    expect((await signIn(service, username, password)).status).toBe(200)
  }
  await failSignIns(username, 5)
  clock.advance(minutes(30) - 5_000)
  expectProblem(await signIn(service, username, password), 423, 'ACCOUNT_LOCKED')
  clock.advance(10_000)
  expect((await signIn(service, username, password)).status).toBe(200)
})

test('simultaneous correct sign-ins are no failures', async () => {
  const { username, password } = await createAccount(service, 'admin')
  const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(service, username, password)))
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
})

test('unknown users take as long as known ones', async () => {
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let index = 0; index < 2; index++) {
    const names = { known: (await createAccount(service, 'viewer')).username, unknown: `stranger-${index}` }
    for (let attempt = 0; attempt < 4; attempt++) {
      for (const kind of ['known', 'unknown'] as const) {
        const before = process.cpuUsage()
        await signIn(service, names[kind], 'wrong')
        const { user, system } = process.cpuUsage(before)
        times[kind].push(user + system)
      }
    }
  }
  const ratio = median(times.known) / median(times.unknown)
  expect(ratio).toBeGreaterThan(0.5)
  expect(ratio).toBeLessThan(2)
})

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number
