import type { ByteRange, ByteReader } from './storage.ts'

/** Replaces as many bytes of a file, from `at` on. */
export type BytePatch = { at: number; bytes: Buffer }

/** The patches of the file are sorted by offset. */
export function createPatchedReader(
  reader: ByteReader,
  { start }: ByteRange,
  patches: readonly BytePatch[],
): ByteReader {
  let position = start
  return {
    async read(buffer) {
      const length = await reader.read(buffer)
      for (const { at, bytes } of patches) {
        if (at >= position + length) break
        const from = Math.max(at, position)
        const to = Math.min(at + bytes.length, position + length)
        if (from < to) bytes.copy(buffer, from - position, from - at, to - at)
      }
      position += length
      return length
    },
    close: reader.close,
  }
}
