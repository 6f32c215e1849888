import { expect, test } from 'vitest'
import { isoTime } from './clock.ts'

test('times are formatted like toISOString, also before 1970 and in any order', () => {
  const times = [
    0, 1.5, -1.5, 1_700_000_000_123.9, -1, -86_400_001, 59_999, 1_700_000_000_123, 253_402_300_799_999,
    -62_198_755_200_001, 8.64e15,
  ]
  for (let index = 0; index < 500; index++) times.push(Math.floor(Math.sin(index) * 4e12))
  for (const time of times) expect(isoTime(time)).toBe(new Date(time).toISOString())
})
