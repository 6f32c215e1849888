import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createKeyedMutex } from './keyed-mutex.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Advances fake time until all are done. */
async function finish(works: Promise<unknown>[]): Promise<void> {
  const all = Promise.all(works)
  await vi.runAllTimersAsync()
  await all
}

test('functions of one key run one after another, other keys run concurrently', async () => {
  const inTurnOf = createKeyedMutex()
  const gate = Promise.withResolvers<void>()
  const done: string[] = []
  const work = (key: string, name: string, until?: Promise<void>) =>
    inTurnOf(key, async () => {
      await until
      done.push(name)
    })
  const ofOneKey = [work('photo 1', 'first', gate.promise), work('photo 1', 'second')]
  await work('photo 2', 'other')
  expect(done).toEqual(['other'])
  gate.resolve()
  await Promise.all(ofOneKey)
  await work('photo 1', 'third')
  expect(done).toEqual(['other', 'first', 'second', 'third'])
})

test('a call waits for one that came while the last was ending', async () => {
  const inTurnOf = createKeyedMutex()
  let running = 0
  let most = 0
  const works = Array.from({ length: 30 }, async (_, index) => {
    await pause(index)
    await inTurnOf('photo', async () => {
      most = Math.max(most, ++running)
      await pause(index % 3)
      running--
    })
  })
  await finish(works)
  expect(most).toBe(1)
})

test('each call gets the number of further calls', async () => {
  const inTurnOf = createKeyedMutex()
  const seen: number[] = []
  const work = async (waiting: number) => {
    seen.push(waiting)
    await pause(10)
  }
  await finish(Array.from({ length: 4 }, () => inTurnOf('photo 1', work)))
  expect(seen).toEqual([0, 2, 1, 0])
})
