import { chunkBytes } from '../../contract/chunked-uploads.ts'
import type { FilePart } from '../platform/storage/parted-files.ts'

/** How many chunks a file of so many bytes comes in. */
export const chunkCountOf = (fileBytes: number): number => Math.ceil(fileBytes / chunkBytes)

/** Where a chunk stands in its file and how long it is; null for an index that the file does not have. */
export function partAt(fileBytes: number, index: number): FilePart | null {
  if (index >= chunkCountOf(fileBytes)) return null
  const offset = index * chunkBytes
  return { index, offset, sizeBytes: Math.min(chunkBytes, fileBytes - offset) }
}

/** Percent; 100 for all of them alone. */
export const progressOf = (received: number, expected: number): number => Math.floor((100 * received) / expected)

/** The indexes that are not among those received; at most `most` of them, the first ones. */
export function missingIndexes(received: ReadonlySet<number>, expected: number, most: number): number[] {
  const missing: number[] = []
  for (let index = 0; index < expected && missing.length < most; index++) {
    if (!received.has(index)) missing.push(index)
  }
  return missing
}
