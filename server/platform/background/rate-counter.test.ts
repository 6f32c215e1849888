import { expect, test } from 'vitest'
import { createRateCounter } from './rate-counter.ts'

const clockAt = (start: number) => {
  let time = start
  return {
    now: () => time,
    advance(ms: number) {
      time += ms
    },
  }
}

test('a window begins with the first that is counted and ends after its length, whatever comes meanwhile', async () => {
  const clock = clockAt(1_000)
  const { add, look } = createRateCounter(clock, 500)
  expect(await add('a')).toEqual({ count: 1, endsAt: 1_500 })
  clock.advance(499)
  expect(await add('a')).toEqual({ count: 2, endsAt: 1_500 })
  expect(await look('a')).toEqual({ count: 2, endsAt: 1_500 })
  clock.advance(1)
  expect((await look('a')).count).toBe(0)
  expect(await add('a')).toEqual({ count: 1, endsAt: 2_000 })
})

test('looking counts nothing, and keys are counted apart', async () => {
  const { add, look } = createRateCounter(clockAt(0), 500)
  await add('a')
  for (let index = 0; index < 5; index++) await look('a')
  expect((await look('a')).count).toBe(1)
  expect((await look('b')).count).toBe(0)
})

test('is bounded: beyond that the keys that were quiet for longest are forgotten', async () => {
  const { add, look } = createRateCounter(clockAt(0), 500, 3)
  for (const key of ['a', 'b', 'c', 'a', 'd']) await add(key)
  expect((await look('a')).count).toBe(2)
  expect((await look('b')).count).toBe(0)
  expect((await look('d')).count).toBe(1)
})
