import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { UploadScheduler } from './upload-scheduler.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = new AbortController().signal

/** Enters once for each name. `now` returns the names that have entered, joined. */
function enterAll(scheduler: UploadScheduler, names: string[]) {
  const entered: string[] = []
  const leaves = new Map<string, () => void>()
  for (const name of names) {
    void scheduler.enter(never).then((leave) => {
      entered.push(name)
      leaves.set(name, leave)
    })
  }
  const now = async () => {
    await vi.advanceTimersByTimeAsync(0)
    return entered.join('')
  }
  return { now, leave: (name: string) => leaves.get(name)?.() }
}

test('limits concurrency and lets others enter in order', async () => {
  const { now, leave } = enterAll(new UploadScheduler(2), ['a', 'b', 'c', 'd'])
  expect(await now()).toBe('ab')
  leave('b')
  expect(await now()).toBe('abc')
  leave('a')
  expect(await now()).toBe('abcd')
})

test('blocks new requests while paused and aborts running requests', async () => {
  const scheduler = new UploadScheduler(2)
  const { running } = scheduler
  scheduler.pause()
  expect(running.aborted).toBe(true)
  const { now } = enterAll(scheduler, ['a'])
  expect(await now()).toBe('')
  scheduler.resume()
  expect(await now()).toBe('a')
  expect(scheduler.running.aborted).toBe(false)
})

test.each([[[5000]], [[5000, 1000]]])('ends holds of %j at the time of the longest and not earlier', async (holds) => {
  const scheduler = new UploadScheduler(2)
  for (const ms of holds) scheduler.hold(ms)
  const { now } = enterAll(scheduler, ['a'])
  scheduler.endWaits()
  await vi.advanceTimersByTimeAsync(4900)
  expect(await now()).toBe('')
  await vi.advanceTimersByTimeAsync(200)
  expect(await now()).toBe('a')
})

test('ends a wait at its time, on `endWaits`, and with an error on abort', async () => {
  const scheduler = new UploadScheduler(1)
  const ended: string[] = []
  const giveUp = new AbortController()
  void scheduler.wait(1000, never).then(() => ended.push('time'))
  await vi.advanceTimersByTimeAsync(1000)
  void scheduler.wait(60_000, never).then(() => ended.push('hurry'))
  scheduler.endWaits()
  void scheduler.wait(60_000, giveUp.signal).catch(() => ended.push('given up'))
  giveUp.abort()
  await vi.advanceTimersByTimeAsync(0)
  expect(ended).toEqual(['time', 'hurry', 'given up'])
})
