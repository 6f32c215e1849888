import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mapConcurrent } from './map-concurrent.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

test('runs at most `limit` tasks at once and returns results in item order', async () => {
  let running = 0
  let most = 0
  const working = mapConcurrent([30, 5, 20, 1, 10, 3], 3, async (ms) => {
    most = Math.max(most, ++running)
    await pause(ms)
    running--
    return ms * 2
  })
  await vi.runAllTimersAsync()
  expect(await working).toEqual([60, 10, 40, 2, 20, 6])
  expect(most).toBe(3)
  expect(await mapConcurrent([], 4, () => Promise.reject(new Error('never')))).toEqual([])
})

test('a failure starts nothing more and is thrown after running tasks end', async () => {
  const [begun, ended]: [number[], number[]] = [[], []]
  const working = mapConcurrent([1, 2, 3, 4, 5, 6], 2, async (item) => {
    begun.push(item)
    await pause(item === 2 ? 5 : 30)
    if (item === 2) throw new Error('the second fails')
    ended.push(item)
  })
  const failed = expect(working).rejects.toThrow('the second fails')
  await vi.runAllTimersAsync()
  await failed
  expect([begun, ended]).toEqual([[1, 2], [1]])
})
