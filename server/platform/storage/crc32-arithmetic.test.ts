import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { combineCrc32, crc32Change } from './crc32-arithmetic.ts'

test('the CRC-32 of a changed file follows from that of the file and the change', () => {
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

test('combines the CRC-32 of two consecutive pieces', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), fc.uint8Array({ maxLength: 3000 }), (first, second) => {
      const both = crc32(Buffer.concat([first, second]))
      expect(combineCrc32(crc32(first), crc32(second), second.length)).toBe(both)
    }),
  )
})

// zlib needs seconds for 3 GiB of zeros after each of the two words, so its results are constants here.
test('is correct with gigabytes after the change', () => {
  const change = crc32Change(Buffer.from('here'), Buffer.from('gone'), 3 * 2 ** 30)
  expect((0x077db171 ^ change) >>> 0).toBe(0x52db0b77)
})
