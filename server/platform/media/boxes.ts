import type { Piece } from './location/edited-file.ts'
import type { ReadAt } from './read-at.ts'
import { parseBoxHeader } from './video/movie-boxes.ts'

export type BoxSource = { sizeBytes: number; read: ReadAt }

export type Box = { type: string; body: Piece }

/** For a whole file. A picture of a thousand tiles has two thousand. */
const maxBoxes = 5000

export type BoxReader = ReturnType<typeof createBoxReader>

/** Reads the boxes of a file of the ISO base media format (ISO/IEC 14496-12, 4.2), which HEIF, AVIF and CR3 are. */
export function createBoxReader(source: BoxSource) {
  let boxesLeft = maxBoxes
  let isComplete = true

  /** `skipped`: bytes before the first box. Ends at an invalid box, which makes the whole result incomplete. */
  async function boxes(within: Piece | undefined, skipped = 0): Promise<Box[]> {
    const found: Box[] = []
    if (!within) return found
    const end = Math.min(within.at + within.length, source.sizeBytes)
    for (let at = within.at + skipped; at + 8 <= end; ) {
      const head = await source.read(at, 16)
      const header = head.length < 8 ? null : parseBoxHeader(head, end - at)
      if (!header || header.size < header.headerBytes || boxesLeft-- <= 0) {
        isComplete = false
        break
      }
      const { type, size, headerBytes } = header
      found.push({ type, body: { at: at + headerBytes, length: Math.min(size, end - at) - headerBytes } })
      at += size
    }
    return found
  }

  return { source, boxes, isComplete: () => isComplete }
}

export const bodyOf = (boxes: readonly Box[], wanted: string): Piece | undefined =>
  boxes.find(({ type }) => type === wanted)?.body
