import { expect, test } from 'vitest'
import { getRefetchIntervalMs } from './refetch-interval.ts'

const now = Date.parse('2027-06-12T16:00:00Z')
const done = { status: 'success', next_retry_at: null } as const
const running = { status: 'pending', next_retry_at: null } as const
const retryIn = (seconds: number) =>
  ({ status: 'pending', next_retry_at: new Date(now + seconds * 1000).toISOString() }) as const

test('a running delivery is polled every second, a later one at its time, at least every 15 seconds', () => {
  expect(getRefetchIntervalMs([done, running, retryIn(300)], now)).toBe(1000)
  expect(getRefetchIntervalMs([retryIn(5)], now)).toBe(5000)
  expect(getRefetchIntervalMs([retryIn(300), done], now)).toBe(15_000)
  expect(getRefetchIntervalMs([retryIn(-3)], now)).toBe(1000)
})

test('nothing is polled when all deliveries are complete', () => {
  expect(getRefetchIntervalMs([done, { status: 'failed', next_retry_at: null }], now)).toBe(false)
  expect(getRefetchIntervalMs([], now)).toBe(false)
})
