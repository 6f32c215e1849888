import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createKeyedTurns, createTurns } from './turns.ts'

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

test('runs at most `limit` functions at once', async () => {
  const inTurn = createTurns(3)
  let running = 0
  let most = 0
  const works = Array.from({ length: 30 }, async (_, index) => {
    // Some arrive while others wait, some while one ends.
    await pause(index)
    await inTurn(async () => {
      most = Math.max(most, ++running)
      await pause(1 + (index % 5))
      running--
    })
  })
  await finish(works)
  expect(most).toBe(3)
})

test('functions start in call order', async () => {
  const inTurn = createTurns(2)
  const started: number[] = []
  await finish(
    Array.from({ length: 20 }, (_, index) =>
      inTurn(async () => {
        started.push(index)
        await pause(20 - index)
      }),
    ),
  )
  expect(started).toEqual(Array.from({ length: 20 }, (_, index) => index))
})

test('a failed function throws and frees its place', async () => {
  const inTurn = createTurns(1)
  const failing = Array.from({ length: 5 }, () =>
    inTurn(async () => {
      await pause(1)
      throw new Error('no')
    }),
  )
  const settled = Promise.allSettled([...failing, inTurn(async () => 'done')])
  await vi.runAllTimersAsync()
  const outcomes = await settled
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(5)
  expect(outcomes.at(-1)).toEqual({ status: 'fulfilled', value: 'done' })
  expect(await inTurn(async () => 'and later')).toBe('and later')
})

test('a freed place is used by a later call', async () => {
  const inTurn = createTurns(1)
  for (let round = 0; round < 3; round++) expect(await inTurn(async () => round)).toBe(round)
})

test('functions of one key run one after another, other keys run concurrently', async () => {
  const inTurnOf = createKeyedTurns()
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
  const inTurnOf = createKeyedTurns()
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
