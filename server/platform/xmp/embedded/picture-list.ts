import type { FileEdit } from './packet-place.ts'

/**
 * The list of the multi-picture format (CIPA DC-007), which many cameras write for a second, smaller picture and phones
 * for a gain map. Its offsets are counted from `base`.
 */
export type PictureList = { base: number; isLittleEndian: boolean; entries: PictureEntry[] }
type PictureEntry = { at: number; sizeBytes: number; offset: number }

const listTag = 0xb002
const entryBytes = 16
const maxEntries = 100

/** `bytes` are those of the segment from `base` on. Returns null for an unknown form. */
export function findPictureList(bytes: Buffer, base: number): PictureList | null {
  const order = bytes.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return null
  const isLittleEndian = order === 'II'
  const read16 = (at: number) =>
    at + 2 > bytes.length ? 0 : isLittleEndian ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)
  const read32 = (at: number) =>
    at + 4 > bytes.length ? 0 : isLittleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)
  const directory = read32(4)
  for (let index = 0; index < Math.min(read16(directory), maxEntries); index++) {
    const tagAt = directory + 2 + index * 12
    if (read16(tagAt) !== listTag) continue
    const listAt = read32(tagAt + 8)
    const count = Math.min(
      maxEntries,
      Math.floor(read32(tagAt + 4) / entryBytes),
      Math.floor((bytes.length - listAt) / entryBytes),
    )
    const entries = Array.from({ length: Math.max(0, count) }, (_, number) => {
      const at = listAt + number * entryBytes
      return { at: base + at, sizeBytes: read32(at + 4), offset: read32(at + 8) }
    })
    return { base, isLittleEndian, entries }
  }
  return null
}

/** Returns the edits of the list after the first picture has become longer by `bytes` at `at`. */
export function shiftPictures(
  { base, isLittleEndian, entries }: PictureList,
  { at, bytes }: { at: number; bytes: number },
): FileEdit[] {
  if (bytes === 0) return []
  const write = (place: number, value: number): FileEdit => {
    const inserted = Buffer.alloc(4)
    if (isLittleEndian) inserted.writeUInt32LE(value)
    else inserted.writeUInt32BE(value)
    return { at: place, removed: 4, inserted }
  }
  return entries.flatMap((entry, index) => {
    if (index === 0) return entry.sizeBytes === 0 ? [] : [write(entry.at + 4, entry.sizeBytes + bytes)]
    // A change before the list moves the list as well.
    return entry.offset === 0 || at < base ? [] : [write(entry.at + 8, entry.offset + bytes)]
  })
}
