import { randomBytes } from 'node:crypto'

export const chunkBytes = 10_485_760

export type ChunkedFile = {
  chunks: number
  chunkAt: (index: number) => { parts: readonly Buffer[]; sizeBytes: number }
}

/** A file that starts with `head` and continues with noise. No two chunks are equal, and only one is in memory. */
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
