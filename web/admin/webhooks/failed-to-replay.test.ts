import { expect, test } from 'vitest'
import { failedToReplay } from './failed-to-replay.ts'

type Status = 'pending' | 'success' | 'failed'
const past = (id: number, status: Status, replayed_from: number | null = null) => ({
  id,
  status,
  replayed_from,
  created_at: new Date(id * 1000).toISOString(),
})

test('only failed deliveries are replayed, oldest first', () => {
  expect(failedToReplay([past(4, 'failed'), past(3, 'pending'), past(2, 'failed'), past(1, 'success')])).toEqual([2, 4])
})

test('a delivery with a later replay is left out; a failed replay takes its place', () => {
  const deliveries = [
    past(9, 'failed', 3),
    past(8, 'pending', 2),
    past(7, 'success', 1),
    past(3, 'failed'),
    past(2, 'failed'),
    past(1, 'failed'),
  ]
  expect(failedToReplay(deliveries)).toEqual([9])
})

test('only the last of a chain of replays counts', () => {
  expect(failedToReplay([past(5, 'success', 4), past(4, 'failed', 1), past(1, 'failed')])).toEqual([])
  expect(failedToReplay([past(5, 'failed', 4), past(4, 'failed', 1), past(1, 'failed')])).toEqual([5])
})

test('`since` leaves out earlier failures', () => {
  expect(failedToReplay([past(5, 'failed'), past(4, 'failed'), past(3, 'failed')], 4000)).toEqual([4, 5])
})
