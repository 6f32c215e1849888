import { expect, test } from 'vitest'
import { catchAppErrorAsync } from '../../../tests/support/clients/app-errors.ts'
import { memoryDatabase } from '../../../tests/support/database/memory-database.ts'
import type { Database } from '../../platform/database/tables.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { createUnknownKeys } from './limit-keys.ts'
import { consume, createRateLimits, type RateLimits, rateLimited } from './rate-limits.ts'

/** Several limits with the same database share their counts, as on several nodes. */
function limitsAt(rateLimit: boolean, db: Database | null = null) {
  let time = 0
  const warnings: object[] = []
  const log = { warn: (line: object, message: string) => warnings.push({ ...line, message }) }
  const clock = { now: () => time }
  const database = { kind: db ? 'postgres' : 'sqlite' }
  const limits = createRateLimits({ config: { rateLimit }, db, database, clock, log } as unknown as PlatformContext)
  return { limits, warnings, advance: (ms: number) => (time += ms) }
}

test('returns the seconds to the end of the window beyond the limit, not at it', async () => {
  const { limits, advance } = limitsAt(true)
  const guest = limits.guestWrites('a guest')
  for (let count = 1; count <= 120; count++) expect(await guest.consume()).toBeNull()
  advance(20_500)
  expect(await guest.consume()).toBe(40)
  expect(await limits.guestWrites('another').consume()).toBeNull()
  advance(39_500)
  expect(await guest.consume()).toBeNull()
})

test('`wait` returns seconds when the limit is reached, and does not count', async () => {
  const { limits } = limitsAt(true)
  const address = limits.accountFailures('192.0.2.7')
  for (let count = 1; count <= 19; count++) await address.consume()
  expect(await address.wait()).toBeNull()
  await address.consume()
  expect(await address.wait()).toBe(15 * 60)
  expect(await limits.entryFailuresOfAddress('192.0.2.7').wait()).toBeNull()
})

test('logs an exceeded limit once per window', async () => {
  const { limits, warnings, advance } = limitsAt(true)
  const guest = limits.guestWrites('a guest')
  for (let count = 1; count <= 200; count++) await guest.consume()
  expect(warnings).toEqual([{ limit: 'guestWrites', key: 'a guest', message: 'A request limit was reached' }])
  advance(60_000)
  for (let count = 1; count <= 200; count++) await guest.consume()
  expect(warnings).toHaveLength(2)
})

test('without RATE_LIMIT there is no wait', async () => {
  const { limits, warnings } = limitsAt(false)
  const guest = limits.guestWrites('a guest')
  for (let count = 1; count <= 1_000; count++) expect(await guest.consume()).toBeNull()
  expect(await guest.wait()).toBeNull()
  expect(warnings).toEqual([])
  expect(limits.anonymous('192.0.2.7').name).toBe('anonymous 192.0.2.7')
})

test.each<[keyof RateLimits, number, number]>([
  ['anonymous', 600, 60],
  ['accountFailures', 20, 900],
  ['codeFailures', 20, 3600],
  ['customerFailures', 20, 900],
  ['entryFailuresOfAddress', 30, 900],
  ['entryFailuresOfGallery', 300, 3600],
  ['guestWrites', 120, 60],
  ['guestSelections', 20, 3600],
])('%s allows %i in %i seconds', async (name, most, seconds) => {
  const { limits, advance } = limitsAt(true)
  const allowance = limits[name]('a key')
  expect(allowance.name).toBe(`${name} a key`)
  for (let count = 1; count <= most; count++) expect(await allowance.consume()).toBeNull()
  expect(await allowance.consume()).toBe(seconds)
  advance(seconds * 1000 - 1)
  expect(await allowance.consume()).toBe(1)
  advance(1)
  expect(await allowance.consume()).toBeNull()
})

test('beyond a shared limit, writes nothing more until the window ends', async () => {
  const { db } = await memoryDatabase()
  const { limits, advance } = limitsAt(true, db)
  const guest = limits.guestSelections('ana')
  const stored = async () => (await db.selectFrom('rate_counts').select('count').executeTakeFirst())?.count
  for (let count = 1; count <= 30; count++) await guest.consume()
  expect(await stored()).toBe(21)
  expect(await limits.guestSelections('ben').consume()).toBeNull()
  advance(3_600_000)
  expect(await guest.consume()).toBeNull()
  expect(await stored()).toBe(1)
})

test('only the node that exceeds a shared limit logs it', async () => {
  const { db } = await memoryDatabase()
  const [first, second] = [limitsAt(true, db), limitsAt(true, db)]
  for (let count = 1; count <= 21; count++) await first.limits.guestSelections('ana').consume()
  expect(await second.limits.guestSelections('ana').consume()).toBe(3600)
  expect([first.warnings.length, second.warnings.length]).toEqual([1, 0])
})

test('throws RATE_LIMITED with the seconds to wait beyond the limit, or with a given text', async () => {
  const { limits } = limitsAt(true)
  const guest = limits.guestSelections('ana')
  for (let count = 1; count <= 20; count++) expect(await catchAppErrorAsync(() => consume(guest))).toBeNull()
  const expected = { code: 'RATE_LIMITED', extras: { retryAfterSeconds: 3600 } }
  expect(await catchAppErrorAsync(() => consume(guest))).toMatchObject(expected)
  expect(rateLimited(5).extras).toEqual({ retryAfterSeconds: 5 })
  expect(rateLimited(5, 'Too many mails.').extras).toEqual({ retryAfterSeconds: 5, text: 'Too many mails.' })
})

test('fifty thousand invented slugs displace no count of a gallery', async () => {
  const { limits } = limitsAt(true)
  const unknownKey = createUnknownKeys('a secret')
  const gallery = limits.entryFailuresOfGallery('7')
  for (let count = 0; count < 300; count++) await gallery.consume()
  const seconds = await gallery.wait()
  expect(seconds).not.toBeNull()
  for (let count = 0; count < 50_000; count++) {
    await limits.entryFailuresOfGallery(unknownKey(`slug invented-${count}`)).consume()
  }
  expect(await gallery.wait()).toBe(seconds)
})
