import { expect, test } from 'vitest'
import { getRefetchIntervalMs, listFailedToReplay } from './delivery-rules.ts'

type Status = 'pending' | 'success' | 'failed'
const delivery = (id: number, status: Status, replayed_from: number | null = null) => {
  return { id, status, replayed_from, created_at: new Date(id * 1000).toISOString() }
}

test('only failed deliveries are replayed, oldest first', () => {
  expect(
    listFailedToReplay([delivery(4, 'failed'), delivery(3, 'pending'), delivery(2, 'failed'), delivery(1, 'success')]),
  ).toEqual([2, 4])
})

test('a delivery with a later replay is left out; a failed replay takes its place', () => {
  const deliveries = [
    delivery(9, 'failed', 3),
    delivery(8, 'pending', 2),
    delivery(7, 'success', 1),
    delivery(3, 'failed'),
    delivery(2, 'failed'),
    delivery(1, 'failed'),
  ]
  expect(listFailedToReplay(deliveries)).toEqual([9])
})

test('only the last of a chain of replays counts; `since` leaves out earlier failures', () => {
  expect(listFailedToReplay([delivery(5, 'success', 4), delivery(4, 'failed', 1), delivery(1, 'failed')])).toEqual([])
  expect(listFailedToReplay([delivery(5, 'failed', 4), delivery(4, 'failed', 1), delivery(1, 'failed')])).toEqual([5])
  expect(listFailedToReplay([delivery(5, 'failed'), delivery(4, 'failed'), delivery(3, 'failed')], 4000)).toEqual([
    4, 5,
  ])
})

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
