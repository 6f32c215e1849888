import { chunkBytes } from '../../../contract/chunked-uploads.ts'
import type { FilePart } from '../../platform/storage/storage.ts'

export const countChunks = (fileBytes: number): number => Math.ceil(fileBytes / chunkBytes)

export function findPart(fileBytes: number, index: number): FilePart | null {
  if (index >= countChunks(fileBytes)) return null
  const offset = index * chunkBytes
  return { index, offset, sizeBytes: Math.min(chunkBytes, fileBytes - offset) }
}

/** In percent, rounded down: 100 only when all chunks are received. */
export const calculateProgress = (received: number, expected: number): number => Math.floor((100 * received) / expected)

export function listMissingIndexes(received: ReadonlySet<number>, expected: number, maxCount: number): number[] {
  const missing: number[] = []
  for (let index = 0; index < expected && missing.length < maxCount; index++) {
    if (!received.has(index)) missing.push(index)
  }
  return missing
}
