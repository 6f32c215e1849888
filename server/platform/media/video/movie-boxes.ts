import type { ReadAt } from '../read-at.ts'

export class TooManyBoxes extends Error {}

type Box = { type: string; start: number; end: number }
type Bounds = { start: number; end: number }

/** Cameras and editors write far fewer boxes. */
const maxBoxes = 10_000
const maxDepth = 12
const containerTypes = new Set(['moov', 'trak', 'mdia', 'minf', 'dinf', 'gmhd', 'edts', 'udta', 'mvex', 'wide', 'clip'])
/** A reference of this size is only its own header and names no file. */
const emptyReferenceBytes = 12

/**
 * Returns `own` when the header (the `moov` box) names no other file, `elsewhere` when it names one, `untold` when it
 * is compressed or nested too deeply, `none` without a header. Throws TooManyBoxes.
 */
export async function locateMedia(read: ReadAt, sizeBytes: number): Promise<'own' | 'elsewhere' | 'untold' | 'none'> {
  const budget = { left: maxBoxes }
  for await (const box of readBoxes(read, { start: 0, end: sizeBytes }, budget)) {
    if (box.type === 'moov') return locateHeaderMedia(read, box, budget)
  }
  return 'none'
}

/** Returns the creation time of a movie in epoch milliseconds, or null. Throws TooManyBoxes. */
export async function readCreationTime(read: ReadAt, sizeBytes: number): Promise<number | null> {
  const budget = { left: maxBoxes }
  for await (const movie of readBoxes(read, { start: 0, end: sizeBytes }, budget)) {
    if (movie.type !== 'moov') continue
    for await (const header of readBoxes(read, movie, budget)) {
      if (header.type === 'mvhd') return parseCreationTime(await read(header.start, 12))
    }
  }
  return null
}

function parseCreationTime(header: Buffer): number | null {
  if (header.length < 12) return null
  const seconds = header[0] === 1 ? Number(header.readBigUInt64BE(4)) : header.readUInt32BE(4)
  return seconds * 1000 + Date.UTC(1904)
}

async function locateHeaderMedia(
  read: ReadAt,
  parent: Bounds,
  budget: { left: number },
  depth = 1,
): Promise<'own' | 'elsewhere' | 'untold'> {
  if (depth > maxDepth) return 'untold'
  for await (const box of readBoxes(read, parent, budget)) {
    if (box.type === 'rmra') return 'elsewhere'
    if (box.type === 'cmov') return 'untold'
    if (box.type === 'dref' && (await referencesOtherFile(read, box, budget))) return 'elsewhere'
    if (!containerTypes.has(box.type)) continue
    const inside = await locateHeaderMedia(read, box, budget, depth + 1)
    if (inside !== 'own') return inside
  }
  return 'own'
}

async function referencesOtherFile(read: ReadAt, { start, end }: Bounds, budget: { left: number }): Promise<boolean> {
  const versionAndCountBytes = 8
  for await (const entry of readBoxes(read, { start: start + versionAndCountBytes, end }, budget)) {
    const flags = await read(entry.start, 4)
    const isSelfContained = ((flags[3] ?? 0) & 1) === 1
    if (!isSelfContained && entry.end - entry.start + 8 > emptyReferenceBytes) return true
  }
  return false
}

/** Yields boxes with the start and end of their content. Ends at an invalid box; throws TooManyBoxes. */
async function* readBoxes(read: ReadAt, { start, end }: Bounds, budget: { left: number }): AsyncGenerator<Box, void> {
  for (let position = start; position + 8 <= end; ) {
    if (budget.left-- <= 0) throw new TooManyBoxes()
    const header = await read(position, 16)
    if (header.length < 8) return
    const box = parseBoxHeader(header, end - position)
    if (!box || box.size < box.headerBytes) return
    yield { type: box.type, start: position + box.headerBytes, end: Math.min(end, position + box.size) }
    position += box.size
  }
}

/** A box without a size gets `restBytes`, because it reaches to the end. Returns null for an incomplete header. */
export function parseBoxHeader(header: Buffer, restBytes: number) {
  const isLong = header.readUInt32BE(0) === 1
  if (isLong && header.length < 16) return null
  const size = isLong ? Number(header.readBigUInt64BE(8)) : header.readUInt32BE(0) || restBytes
  return { type: header.toString('latin1', 4, 8), size, headerBytes: isLong ? 16 : 8 }
}
