import type { ByteRange, ByteReader } from './storage.ts'

export function createBytesReader(bytes: Buffer, { start, end }: ByteRange): ByteReader {
  let rest = bytes.subarray(start, end + 1)
  return {
    async read(buffer) {
      const length = rest.copy(buffer)
      rest = rest.subarray(length)
      return length
    },
    async close() {},
  }
}
