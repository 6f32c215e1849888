import { expect, test } from 'vitest'
import { takePerMebibyte } from './take-space.ts'

test('takes a mebibyte before its first byte, and enough for a larger piece', async () => {
  const taken: number[] = []
  const reserveSpace = takePerMebibyte(async (bytes) => void taken.push(bytes))
  for (const bytes of [1, 65_536, 2 ** 20 - 65_537, 1, 2.5 * 2 ** 20]) await reserveSpace(bytes)
  expect(taken).toEqual([2 ** 20, 2 ** 20, 2 * 2 ** 20])
})

test('rejects when the space ends', async () => {
  const reserveSpace = takePerMebibyte(async () => Promise.reject(new Error('full')))
  await expect(reserveSpace(1)).rejects.toThrow('full')
})
