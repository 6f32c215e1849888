import { randomBytes } from 'node:crypto'

/** How the service takes large files. */
export const chunkBytes = 10_485_760

/** The chunks of one file, in parts to be sent in order. */
export type ChunkedFile = {
  chunks: number
  chunkAt: (index: number) => { parts: readonly Buffer[]; sizeBytes: number }
}

/** A file of `fileBytes` that begins with `head`: noise behind it, no two chunks the same, one of them in memory. */
export function chunkedFile(head: Buffer, fileBytes: number): ChunkedFile {
  const noise = randomBytes(chunkBytes)
  return {
    chunks: Math.ceil(fileBytes / chunkBytes),
    chunkAt(index) {
      const sizeBytes = Math.min(chunkBytes, fileBytes - index * chunkBytes)
      const start = index === 0 ? head : Buffer.from(`chunk ${index}`)
      return { parts: [start, noise.subarray(start.length, sizeBytes)], sizeBytes }
    },
  }
}
