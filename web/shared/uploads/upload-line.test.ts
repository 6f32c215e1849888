import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { UploadLine } from './upload-line.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = new AbortController().signal

/** Returns who has entered. */
function visitors(line: UploadLine, names: string[]) {
  const inside: string[] = []
  const leaves = new Map<string, () => void>()
  for (const name of names) {
    void line.enter(never).then((leave) => {
      inside.push(name)
      leaves.set(name, leave)
    })
  }
  const now = async () => {
    await vi.advanceTimersByTimeAsync(0)
    return inside.join('')
  }
  return { now, leave: (name: string) => leaves.get(name)?.() }
}

test('limits concurrency and lets others enter in order', async () => {
  const { now, leave } = visitors(new UploadLine(2), ['a', 'b', 'c', 'd'])
  expect(await now()).toBe('ab')
  leave('b')
  expect(await now()).toBe('abc')
  leave('a')
  expect(await now()).toBe('abcd')
})

test('lets nothing enter while paused and aborts what is running', async () => {
  const line = new UploadLine(2)
  const { running } = line
  line.pause()
  expect(running.aborted).toBe(true)
  const { now } = visitors(line, ['a'])
  expect(await now()).toBe('')
  line.resume()
  expect(await now()).toBe('a')
  expect(line.running.aborted).toBe(false)
})

test('ends a hold at its time and not earlier', async () => {
  const line = new UploadLine(2)
  line.hold(5000)
  const { now } = visitors(line, ['a'])
  line.hurry()
  await vi.advanceTimersByTimeAsync(4900)
  expect(await now()).toBe('')
  await vi.advanceTimersByTimeAsync(200)
  expect(await now()).toBe('a')
})

test('does not shorten a long hold by a shorter one', async () => {
  const line = new UploadLine(2)
  line.hold(30_000)
  line.hold(1000)
  const { now } = visitors(line, ['a'])
  await vi.advanceTimersByTimeAsync(29_000)
  expect(await now()).toBe('')
  await vi.advanceTimersByTimeAsync(1100)
  expect(await now()).toBe('a')
})

test('ends a wait at its time, on `endWaits`, and with an error on abort', async () => {
  const line = new UploadLine(1)
  const ended: string[] = []
  const giveUp = new AbortController()
  void line.wait(1000, never).then(() => ended.push('time'))
  await vi.advanceTimersByTimeAsync(1000)
  void line.wait(60_000, never).then(() => ended.push('hurry'))
  line.hurry()
  void line.wait(60_000, giveUp.signal).catch(() => ended.push('given up'))
  giveUp.abort()
  await vi.advanceTimersByTimeAsync(0)
  expect(ended).toEqual(['time', 'hurry', 'given up'])
})
