import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BytePatch, createPatchedReader } from './byte-patches.ts'
import { createBytesReader } from './byte-readers.ts'

async function readAll(reader: ReturnType<typeof createPatchedReader>, bufferBytes: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for (;;) {
    const buffer = Buffer.alloc(bufferBytes)
    const length = await reader.read(buffer)
    if (length === 0) return Buffer.concat(parts)
    parts.push(buffer.subarray(0, length))
  }
}

const patchedFiles = fc.integer({ min: 1, max: 400 }).chain((sizeBytes) => {
  const place = fc.integer({ min: 0, max: sizeBytes - 1 })
  return fc.record({
    file: fc.uint8Array({ minLength: sizeBytes, maxLength: sizeBytes }),
    places: fc.uniqueArray(place, { maxLength: 12 }),
    ends: fc.tuple(place, place),
    bufferBytes: fc.integer({ min: 1, max: 500 }),
  })
})

test('any range of a patched file is that part of the patched whole', async () => {
  await fc.assert(
    fc.asyncProperty(patchedFiles, async ({ file, places, ends, bufferBytes }) => {
      const whole = Buffer.from(file)
      const starts = places.toSorted((a, b) => a - b)
      const patches: BytePatch[] = starts.map((at, index) => {
        const next = starts[index + 1] ?? whole.length
        return { at, bytes: Buffer.alloc(Math.ceil((next - at) / 2), index + 1) }
      })
      const patched = Buffer.from(whole)
      for (const { at, bytes } of patches) bytes.copy(patched, at)
      const range = { start: Math.min(...ends), end: Math.max(...ends) }
      const read = await readAll(createPatchedReader(createBytesReader(whole, range), range, patches), bufferBytes)
      expect(read).toEqual(patched.subarray(range.start, range.end + 1))
    }),
  )
})
