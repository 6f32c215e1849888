import { expect, test } from 'vitest'
import { failedToReplay } from './failed-to-replay.ts'

type Status = 'pending' | 'success' | 'failed'
const past = (id: number, status: Status, replayed_from: number | null = null) => ({
  id,
  status,
  replayed_from,
  created_at: new Date(id * 1000).toISOString(),
})

test('what failed is told again in the order in which it happened, what arrived or waits is not', () => {
  expect(failedToReplay([past(4, 'failed'), past(3, 'pending'), past(2, 'failed'), past(1, 'success')])).toEqual([2, 4])
})

test('what was told again since stays as it is: it arrived, it waits, or its replay failed and stands for it', () => {
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

test('of a chain of replays the last one counts', () => {
  expect(failedToReplay([past(5, 'success', 4), past(4, 'failed', 1), past(1, 'failed')])).toEqual([])
  expect(failedToReplay([past(5, 'failed', 4), past(4, 'failed', 1), past(1, 'failed')])).toEqual([5])
})

test('a time leaves out what failed before it', () => {
  expect(failedToReplay([past(5, 'failed'), past(4, 'failed'), past(3, 'failed')], 4000)).toEqual([4, 5])
})
