import { crc32 } from 'node:zlib'

// CRC-32 is linear: that of a file some bytes of which are exchanged differs from that of the file by what the
// exchanged bits come to, carried on over all that follows them. No other byte has to be read for it.

/** The polynomial of CRC-32, lowest power in the highest bit, as zlib and ZIP have it. */
const polynomial = 0xedb88320
const one = 0x80000000

/** The product of two polynomials modulo that of CRC-32. */
function multiply(a: number, b: number): number {
  let product = 0
  let factor = b
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= factor
    factor = (factor & 1) === 1 ? (factor >>> 1) ^ polynomial : factor >>> 1
  }
  return product >>> 0
}

/** x to the power of eight times so many bytes. */
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
 * What exchanging bytes comes to: XORed with the CRC-32 of a file it gives that of the changed file. `before` and
 * `after` are of one length and stand where `bytesBehind` more bytes follow.
 */
export function crc32Change(before: Buffer, after: Buffer, bytesBehind: number): number {
  // Both start and end of a CRC are conditioned alike, so that only the remainder of the difference is left.
  return multiply((crc32(before) ^ crc32(after)) >>> 0, powerOfBytes(bytesBehind))
}

/** The CRC-32 of two pieces of a file, one behind the other, of the CRC-32 of each. */
export const crc32OfBoth = (first: number, second: number, secondBytes: number): number =>
  (multiply(first, powerOfBytes(secondBytes)) ^ second) >>> 0
