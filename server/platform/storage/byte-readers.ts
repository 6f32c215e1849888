import type { FileHandle } from 'node:fs/promises'
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

/** `close` closes the file. The reader ends early when the file is shorter than the range. */
export function createFileReader(file: FileHandle, range: ByteRange): ByteReader {
  let position = range.start
  return {
    async read(buffer) {
      const length = Math.min(buffer.length, range.end + 1 - position)
      if (length === 0) return 0
      const { bytesRead } = await file.read(buffer, 0, length, position)
      position += bytesRead
      return bytesRead
    },
    close: () => file.close(),
  }
}
