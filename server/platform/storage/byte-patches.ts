import type { ByteRange, ByteReader } from './storage.ts'

/** Replaces bytes of a file from the offset `at` on; the length stays the same. */
export type BytePatch = { at: number; bytes: Buffer }

/** `patches` must be sorted by offset. */
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

type SerializedPatch = [at: number, base64: string] | [at: number, length: number, value: number]

/** Returns JSON: `[at, base64]` for each patch, or the shorter `[at, length, value]` if all its bytes are equal. */
export function serializePatches(patches: readonly BytePatch[]): string {
  const written = patches.map(({ at, bytes }): SerializedPatch => {
    const [value = 0] = bytes
    const isOneValue = bytes.every((byte) => byte === value)
    return isOneValue ? [at, bytes.length, value] : [at, bytes.toString('base64')]
  })
  return JSON.stringify(written)
}

export function parsePatches(text: string): BytePatch[] {
  if (text === '[]') return []
  return (JSON.parse(text) as SerializedPatch[]).map(([at, bytesOrLength, value]) => ({
    at,
    bytes:
      typeof bytesOrLength === 'string' ? Buffer.from(bytesOrLength, 'base64') : Buffer.alloc(bytesOrLength, value),
  }))
}
