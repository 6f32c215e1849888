import type { FileHandle } from 'node:fs/promises'
import type { ByteRange, ByteReader } from './storage.ts'

/** Owns the handle. Ends early when the file is shorter than the range. */
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
