import { crc32 } from 'node:zlib'

// CRC-32 is linear: its change follows from the changed bytes of a file and their distance to the end.

/** In reversed bit order, as zlib and ZIP use it. */
const polynomial = 0xedb88320
const one = 0x80000000

function multiply(a: number, b: number): number {
  let product = 0
  let factor = b
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= factor
    factor = (factor & 1) === 1 ? (factor >>> 1) ^ polynomial : factor >>> 1
  }
  return product >>> 0
}

/** Returns x^(8 × bytes). */
function powerOfBytes(bytes: number): number {
  let power = one
  // x^8
  let square = one >>> 8
  for (let rest = bytes; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power = multiply(power, square)
    square = multiply(square, square)
  }
  return power
}

/**
 * Returns the value to XOR with the CRC-32 of a file to get that of the changed file. `before` and `after` have the
 * same length and are followed by `followingBytes` more bytes.
 */
export function crc32Change(before: Buffer, after: Buffer, followingBytes: number): number {
  // The initial and final values of both CRCs cancel out, so only the difference is left.
  return multiply((crc32(before) ^ crc32(after)) >>> 0, powerOfBytes(followingBytes))
}

export const combineCrc32 = (first: number, second: number, secondBytes: number): number =>
  (multiply(first, powerOfBytes(secondBytes)) ^ second) >>> 0
