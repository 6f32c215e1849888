import { expect, test } from 'vitest'
import { createRateCounter } from './shared-rate-counter.ts'

const clockAt = (start: number) => {
  let time = start
  return {
    now: () => time,
    advance(ms: number) {
      time += ms
    },
  }
}

test('a window starts with its first count and ends after its length', async () => {
  const clock = clockAt(1_000)
  const { add, readCount } = createRateCounter(clock, 500)
  expect(await add('a')).toEqual({ count: 1, endsAt: 1_500 })
  clock.advance(499)
  expect(await add('a')).toEqual({ count: 2, endsAt: 1_500 })
  expect(await readCount('a')).toEqual({ count: 2, endsAt: 1_500 })
  clock.advance(1)
  expect((await readCount('a')).count).toBe(0)
  expect(await add('a')).toEqual({ count: 1, endsAt: 2_000 })
})

test('reading a count does not change it, and keys are independent', async () => {
  const { add, readCount } = createRateCounter(clockAt(0), 500)
  await add('a')
  for (let index = 0; index < 5; index++) await readCount('a')
  expect((await readCount('a')).count).toBe(1)
  expect((await readCount('b')).count).toBe(0)
})

test('beyond its limit it drops the least recently counted keys', async () => {
  const { add, readCount } = createRateCounter(clockAt(0), 500, 3)
  for (const key of ['a', 'b', 'c', 'a', 'd']) await add(key)
  expect((await readCount('a')).count).toBe(2)
  expect((await readCount('b')).count).toBe(0)
  expect((await readCount('d')).count).toBe(1)
})
