import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

test('at most the given number of works run at once, and as many as that do', async () => {
  const inTurn = createTurns(3)
  let running = 0
  let most = 0
  const works = Array.from({ length: 20 }, (_, index) =>
    inTurn(async () => {
      most = Math.max(most, ++running)
      await pause(index % 4)
      running--
    }),
  )
  await Promise.all(works)
  expect(most).toBe(3)
})

test('works start in the order they came', async () => {
  const inTurn = createTurns(2)
  const started: number[] = []
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      inTurn(async () => {
        started.push(index)
        await pause(20 - index)
      }),
    ),
  )
  expect(started).toEqual(Array.from({ length: 20 }, (_, index) => index))
})

test('a work that fails passes its error on and its turn to the next', async () => {
  const inTurn = createTurns(1)
  const failing = Array.from({ length: 5 }, () =>
    inTurn(async () => {
      await pause(1)
      throw new Error('no')
    }),
  )
  const outcomes = await Promise.allSettled([...failing, inTurn(async () => 'done')])
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(5)
  expect(outcomes.at(-1)).toEqual({ status: 'fulfilled', value: 'done' })
  expect(await inTurn(async () => 'and later')).toBe('and later')
})

test('a turn that ended is free for who comes later', async () => {
  const inTurn = createTurns(1)
  for (let round = 0; round < 3; round++) expect(await inTurn(async () => round)).toBe(round)
})
