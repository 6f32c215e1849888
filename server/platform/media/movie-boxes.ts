/** Bytes of a file at a place in it; fewer, or none, behind its end. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>

/** A file whose structure nobody can look into within bounds. */
export class TooManyBoxes extends Error {}

type Box = { type: string; start: number; end: number }
type Bounds = { start: number; end: number }

/** Far above what cameras and editors write before the header of the movie, and inside it. */
const maxBoxes = 10_000
const deepest = 12
const boxesOfBoxes = new Set(['moov', 'trak', 'mdia', 'minf', 'dinf', 'gmhd', 'edts', 'udta', 'mvex', 'wide', 'clip'])
/** A reference that is no longer than its own header names nothing. */
const bareReferenceBytes = 12

/**
 * How the movie header of a MOV or MP4 stands to other files: `own` when all that it shows is in the file itself,
 * `elsewhere` when it is a reference movie or names another file, `untold` where it cannot be looked into: there is
 * none, or it is compressed. Reads the headers of boxes and nothing of their content but the references.
 * Throws TooManyBoxes.
 */
export async function whereMovieLies(
  read: ReadAt,
  sizeBytes: number,
): Promise<'own' | 'elsewhere' | 'untold' | 'none'> {
  const budget = { left: maxBoxes }
  for await (const box of boxesWithin(read, { start: 0, end: sizeBytes }, budget)) {
    if (box.type === 'moov') return whereHeaderPoints(read, box, budget)
  }
  return 'none'
}

async function whereHeaderPoints(
  read: ReadAt,
  parent: Bounds,
  budget: { left: number },
  depth = 1,
): Promise<'own' | 'elsewhere' | 'untold'> {
  if (depth > deepest) return 'untold'
  for await (const box of boxesWithin(read, parent, budget)) {
    if (box.type === 'rmra') return 'elsewhere'
    if (box.type === 'cmov') return 'untold'
    if (box.type === 'dref' && (await namesOthers(read, box, budget))) return 'elsewhere'
    if (!boxesOfBoxes.has(box.type)) continue
    const inside = await whereHeaderPoints(read, box, budget, depth + 1)
    if (inside !== 'own') return inside
  }
  return 'own'
}

/** The entries of a `dref`: each is self-contained by its flag, or names where its media lie. */
async function namesOthers(read: ReadAt, { start, end }: Bounds, budget: { left: number }): Promise<boolean> {
  const versionAndCountBytes = 8
  for await (const entry of boxesWithin(read, { start: start + versionAndCountBytes, end }, budget)) {
    const flags = await read(entry.start, 4)
    const isSelfContained = ((flags[3] ?? 0) & 1) === 1
    if (!isSelfContained && entry.end - entry.start + 8 > bareReferenceBytes) return true
  }
  return false
}

/** The boxes side by side within these bounds; `start` is that of the content. Ends at what is no box. */
async function* boxesWithin(read: ReadAt, { start, end }: Bounds, budget: { left: number }): AsyncGenerator<Box, void> {
  for (let position = start; position + 8 <= end; ) {
    if (budget.left-- <= 0) throw new TooManyBoxes()
    const header = await read(position, 16)
    if (header.length < 8) return
    const type = header.toString('latin1', 4, 8)
    const told = header.readUInt32BE(0)
    const isLong = told === 1
    if (isLong && header.length < 16) return
    const size = isLong ? Number(header.readBigUInt64BE(8)) : told === 0 ? end - position : told
    const headerBytes = isLong ? 16 : 8
    if (size < headerBytes) return
    yield { type, start: position + headerBytes, end: Math.min(end, position + size) }
    position += size
  }
}
