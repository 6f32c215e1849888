import type { ByteRange, ByteReader } from './storage.ts'

/** Bytes that stand in the place of as many others. */
export type BytePatch = { at: number; bytes: Buffer }

/** What `reader` reads of a range, with the patches laid over it wherever it begins and ends. They are in the order of the file. */
export function patchedReader(reader: ByteReader, { start }: ByteRange, patches: readonly BytePatch[]): ByteReader {
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
