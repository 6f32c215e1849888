import { expect, test } from 'vitest'
import type { Backends } from '../platform/backends.ts'
import { createRateLimits } from './rate-limits.ts'

function limitsAt(rateLimit: boolean) {
  let time = 0
  const warnings: object[] = []
  const log = { warn: (line: object) => warnings.push(line) }
  const clock = { now: () => time }
  const limits = createRateLimits({
    config: { rateLimit },
    database: { kind: 'sqlite' },
    clock,
    log,
  } as unknown as Backends)
  return { limits, warnings, advance: (ms: number) => (time += ms) }
}

test('the limit itself is within it; beyond it the seconds to the end of the window are told', async () => {
  const { limits, advance } = limitsAt(true)
  const guest = limits.guestWrites('a guest')
  for (let count = 1; count <= 120; count++) expect(await guest.spend()).toBeNull()
  advance(20_500)
  expect(await guest.spend()).toBe(40)
  expect(await limits.guestWrites('another').spend()).toBeNull()
  advance(39_500)
  expect(await guest.spend()).toBeNull()
})

test('waiting begins when the limit is reached, and counts nothing', async () => {
  const { limits } = limitsAt(true)
  const address = limits.accountFailures('192.0.2.7')
  for (let count = 1; count <= 19; count++) await address.spend()
  expect(await address.wait()).toBeNull()
  await address.spend()
  expect(await address.wait()).toBe(15 * 60)
  expect(await limits.galleryFailures('192.0.2.7').wait()).toBeNull()
})

test('a limit that is passed is logged once in each window', async () => {
  const { limits, warnings, advance } = limitsAt(true)
  const guest = limits.guestWrites('a guest')
  for (let count = 1; count <= 200; count++) await guest.spend()
  expect(warnings).toEqual([{ limit: 'guestWrites', key: 'a guest' }])
  advance(60_000)
  for (let count = 1; count <= 200; count++) await guest.spend()
  expect(warnings).toHaveLength(2)
})

test('without RATE_LIMIT nobody ever waits', async () => {
  const { limits, warnings } = limitsAt(false)
  const guest = limits.guestWrites('a guest')
  for (let count = 1; count <= 1_000; count++) expect(await guest.spend()).toBeNull()
  expect(await guest.wait()).toBeNull()
  expect(warnings).toEqual([])
})
