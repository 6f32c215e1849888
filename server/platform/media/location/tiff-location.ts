import type { ReadAt } from '../read-at.ts'
import type { EditedFile, Piece } from './edited-file.ts'

/** Bytes of one value, by the number of its type. */
export const typeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
const tags = { subDirectories: 0x014a, xmp: 0x02bc, iptc: 0x83bb, photoshop: 0x8649, exif: 0x8769, gps: 0x8825 }
const lastGpsTag = 0x1f
/** The number after the tag of the GPS directory, so that the tags stay sorted. Readers ignore this tag. */
const emptyTag = 0x8826

const entryBytes = 12
const maxDirectories = 200

export type TiffEntry = { at: number; tag: number; type: number; count: number; value: Piece; offset: number }

type ClearBlock = (file: EditedFile, pieces: readonly Piece[]) => Promise<void>
export type BlockClearers = { xmp: ClearBlock; iptc: ClearBlock; photoshop: ClearBlock }

/**
 * Empties GPS directories, and clears locations in XMP, IPTC and Photoshop blocks. Returns false for another format or
 * too many directories.
 */
export async function clearTiff(file: EditedFile, block: Piece, clear: BlockClearers): Promise<boolean> {
  const header = await file.read(block.at, Math.min(8, block.length))
  const order = header.toString('latin1', 0, 2)
  if (header.length < 8 || (order !== 'II' && order !== 'MM')) return false
  const tiff = openTiff(file, block, order === 'II')

  const seen = new Set<number>()
  const waiting = [tiff.uint32(header, 4)]
  for (let start = waiting.pop(); start !== undefined; start = waiting.pop()) {
    if (start === 0 || seen.has(start)) continue
    if (seen.size === maxDirectories) return false
    seen.add(start)
    const { entries, next } = await tiff.directory(start)
    waiting.push(next)
    for (const entry of entries) {
      if (entry.tag === tags.gps) await emptyGps(file, tiff, entry)
      if (entry.tag === tags.exif) waiting.push(entry.offset)
      if (entry.tag === tags.subDirectories) waiting.push(...(await tiff.offsets(entry, maxDirectories)))
      if (entry.tag === tags.xmp) await clear.xmp(file, [entry.value])
      if (entry.tag === tags.iptc) await clear.iptc(file, [entry.value])
      if (entry.tag === tags.photoshop) await clear.photoshop(file, [entry.value])
    }
  }
  return true
}

/** Returns functions that read directories of `block`. Offsets count from its start. They throw ReadLimitExceeded. */
export function openTiff(file: { read: ReadAt }, block: Piece, isLittle: boolean) {
  const uint16 = (bytes: Buffer, at: number): number => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const uint32 = (bytes: Buffer, at: number): number => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))

  function within(start: number, length: number): Piece {
    const from = Math.min(start, block.length)
    return { at: block.at + from, length: Math.min(length, block.length - from) }
  }

  function read(start: number, length: number): Promise<Buffer> {
    const piece = within(start, length)
    return file.read(piece.at, piece.length)
  }

  function parseEntry(bytes: Buffer, at: number): TiffEntry {
    const [tag, type, count] = [uint16(bytes, 0), uint16(bytes, 2), uint32(bytes, 4)]
    const length = count * (typeBytes[type] ?? 1)
    const offset = uint32(bytes, 8)
    const value = length <= 4 ? { at: at + 8, length } : within(offset, length)
    return { at, tag, type, count, value, offset }
  }

  async function directory(start: number, maxEntries = 65_535): Promise<{ entries: TiffEntry[]; next: number }> {
    const head = await read(start, 2)
    if (head.length < 2) return { entries: [], next: 0 }
    const count = Math.min(uint16(head, 0), maxEntries)
    const bytes = await read(start + 2, count * entryBytes + 4)
    const entries: TiffEntry[] = []
    for (let at = 0; at + entryBytes <= bytes.length && entries.length < count; at += entryBytes) {
      entries.push(parseEntry(bytes.subarray(at, at + entryBytes), block.at + start + 2 + at))
    }
    const isWhole = bytes.length === count * entryBytes + 4
    return { entries, next: isWhole ? uint32(bytes, count * entryBytes) : 0 }
  }

  async function offsets({ value }: TiffEntry, maxCount: number): Promise<number[]> {
    const bytes = await file.read(value.at, Math.min(value.length, maxCount * 4))
    return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => uint32(bytes, index * 4))
  }

  return { isLittle, uint32, directory, offsets }
}

/** Clears only entries with GPS tags: a wrong pointer may lead to the pixels. */
async function emptyGps(
  file: EditedFile,
  { isLittle, directory }: ReturnType<typeof openTiff>,
  pointer: TiffEntry,
): Promise<void> {
  const { entries } = await directory(pointer.offset)
  for (const { at, tag, type, value } of entries) {
    if (tag > lastGpsTag || !typeBytes[type]) continue
    await file.fill(value.at, value.length, 0)
    await file.fill(at, entryBytes, 0)
  }
  const empty = Buffer.alloc(entryBytes)
  const [at16, at32] = isLittle
    ? [empty.writeUInt16LE.bind(empty), empty.writeUInt32LE.bind(empty)]
    : [empty.writeUInt16BE.bind(empty), empty.writeUInt32BE.bind(empty)]
  at16(emptyTag, 0)
  at16(1, 2)
  at32(4, 4)
  await file.write(pointer.at, empty)
}
