import { expect, test } from 'vitest'
import { listFailedToReplay } from './failed-to-replay.ts'

type Status = 'pending' | 'success' | 'failed'
const delivery = (id: number, status: Status, replayed_from: number | null = null) => ({
  id,
  status,
  replayed_from,
  created_at: new Date(id * 1000).toISOString(),
})

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

test('only the last of a chain of replays counts', () => {
  expect(listFailedToReplay([delivery(5, 'success', 4), delivery(4, 'failed', 1), delivery(1, 'failed')])).toEqual([])
  expect(listFailedToReplay([delivery(5, 'failed', 4), delivery(4, 'failed', 1), delivery(1, 'failed')])).toEqual([5])
})

test('`since` leaves out earlier failures', () => {
  expect(listFailedToReplay([delivery(5, 'failed'), delivery(4, 'failed'), delivery(3, 'failed')], 4000)).toEqual([
    4, 5,
  ])
})
