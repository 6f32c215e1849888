import fc from 'fast-check'
import { expect, test } from 'vitest'
import { problems } from '../../../contract/problems.ts'
import { getOutcome, getRetryDelayMs, type MarkResponse } from './mark-outcome.ts'

const now = Date.UTC(2026, 5, 1)
const toOutcome = (status: number, body: MarkResponse['body'], retryAfter: string | null = null) =>
  getOutcome({ status, body, retryAfter }, now)

test('the outcome of a response for a mark accepts it only on a success response of the service', () => {
  expect(toOutcome(200, { success: true })).toEqual({ is: 'taken' })
  expect(toOutcome(200, null)).toMatchObject({ is: 'later' })
  expect(toOutcome(200, {})).toMatchObject({ is: 'later' })
  expect(getOutcome(null, now)).toEqual({ is: 'later', all: true, waitMs: 0 })
})

test.each([
  [403, 'FEEDBACK_DISABLED'],
  [403, 'CUSTOMER_ASSIGNMENT_REVOKED'],
  [404, 'NOT_FOUND'],
  [409, 'INVALID_STATE'],
  [410, 'GALLERY_EXPIRED'],
  [400, 'VALIDATION_ERROR'],
  [422, 'IDEMPOTENCY_KEY_REUSED'],
])('the outcome of a response for a mark %i %s rejects the mark permanently', (status, code) => {
  expect(toOutcome(status, { code })).toEqual({ is: 'refused', status, code })
})

test('the outcome of a response for a mark sets marks aside while the picks are locked', () => {
  const locked = { status: 409, code: 'SELECTION_LOCKED' }
  expect(toOutcome(409, { code: 'SELECTION_LOCKED' })).toEqual({ is: 'locked', ...locked })
  expect(toOutcome(409, { code: 'SELECTION_LIMIT_REACHED' })).toMatchObject({ is: 'refused' })
})

test('the outcome of a response for a mark may end the session, keep marks of another guest, or be later', () => {
  for (const code of ['NO_TOKEN', 'INVALID_TOKEN', 'TOKEN_REVOKED', 'TOKEN_EXPIRED'])
    expect(toOutcome(401, { code })).toEqual({ is: 'sessionOver' })
  expect(toOutcome(403, { code: 'FORBIDDEN' })).toEqual({ is: 'notTheirs' })
  for (const status of [429, 503, 507])
    expect(toOutcome(status, { code: 'ANY' }, '7')).toEqual({ is: 'later', all: true, waitMs: 7_000 })
  expect(toOutcome(500, { code: 'INTERNAL_ERROR' })).toMatchObject({ is: 'later', all: false })
  expect(toOutcome(409, { code: 'IDEMPOTENCY_IN_PROGRESS' })).toMatchObject({ is: 'later', all: false })
})

test('the outcome of a response for a mark retries later on any error without a code, which is not from the service', () => {
  fc.assert(
    fc.property(fc.integer({ min: 300, max: 599 }), fc.constantFrom(null, {}, { error: 'Wi-Fi' }), (status, body) => {
      expect(toOutcome(status, body).is).toBe('later')
    }),
  )
})

test('the outcome of a response for a mark never accepts a mark on an error code and never drops one on 5xx or 429', () => {
  for (const [code, { status }] of Object.entries(problems)) {
    const { is } = toOutcome(status, { code })
    expect(is).not.toBe('taken')
    if (status >= 500 || status === 429) expect(is).toBe('later')
  }
})

test.each([
  ['30', 30_000],
  ['Mon, 01 Jun 2026 00:00:20 GMT', 20_000],
  ['86400', 900_000],
  ['0', 0],
  ['soon', 0],
  ['Mon, 01 Jun 2020 00:00:00 GMT', 0],
])('the outcome of a response for a mark Retry-After: %s', (retryAfter, waitMs) => {
  expect(toOutcome(503, null, retryAfter)).toMatchObject({ waitMs })
})

test('grows the wait from one or two seconds up to five minutes', () => {
  expect([1, 2, 3, 4].map((attempts) => getRetryDelayMs(attempts, 1))).toEqual([2_000, 4_000, 8_000, 16_000])
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, chance) => {
      const wait = getRetryDelayMs(attempts, chance)
      expect(wait).toBeGreaterThanOrEqual(1_000)
      expect(wait).toBeLessThanOrEqual(300_000)
      expect(getRetryDelayMs(attempts + 1, chance)).toBeGreaterThanOrEqual(wait)
    }),
  )
})
