import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crc32Change, crc32OfBoth } from './crc32-arithmetic.ts'

test('the CRC-32 of a changed file is that of the file and what the exchanged bytes come to', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 3000 }),
      fc.uint8Array({ minLength: 1, maxLength: 300 }),
      fc.uint8Array({ minLength: 300, maxLength: 300 }),
      fc.uint8Array({ maxLength: 3000 }),
      (start, before, other, end) => {
        const after = other.subarray(0, before.length)
        const whole = (middle: Uint8Array) => crc32(Buffer.concat([start, middle, end]))
        const change = crc32Change(Buffer.from(before), Buffer.from(after), end.length)
        expect((whole(before) ^ change) >>> 0).toBe(whole(after))
      },
    ),
  )
})

test('the CRC-32 of two pieces is that of both, one behind the other', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), fc.uint8Array({ maxLength: 3000 }), (first, second) => {
      const both = crc32(Buffer.concat([first, second]))
      expect(crc32OfBoth(crc32(first), crc32(second), second.length)).toBe(both)
    }),
  )
})

test('it holds with gigabytes behind them', () => {
  const zeros = Buffer.alloc(2 ** 20)
  const behind = 3 * 1024
  const crcOf = (first: string) => {
    let sum = crc32(first)
    for (let piece = 0; piece < behind; piece++) sum = crc32(zeros, sum)
    return sum
  }
  const change = crc32Change(Buffer.from('here'), Buffer.from('gone'), behind * zeros.length)
  expect((crcOf('here') ^ change) >>> 0).toBe(crcOf('gone'))
})
