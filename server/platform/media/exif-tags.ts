import type { EditedFile, Piece } from './location/edited-file.ts'
import { openTiff, type TiffEntry, typeBytes } from './location/tiff-location.ts'

/** The only tags that are read, by the directory that has them. */
const mainTags = new Map([
  [0x010f, 'Make'],
  [0x0110, 'Model'],
  [0x013b, 'Artist'],
  [0x8298, 'Copyright'],
] as const)
export const exifTags = new Map([
  [0x829a, 'ExposureTime'],
  [0x829d, 'FNumber'],
  [0x8827, 'ISO'],
  [0x9003, 'DateTimeOriginal'],
  [0x9004, 'CreateDate'],
  [0x9011, 'OffsetTimeOriginal'],
  [0x920a, 'FocalLength'],
  [0xa434, 'LensModel'],
] as const)
const exifDirectoryTag = 0x8769

type MapValue<T> = T extends Map<unknown, infer V> ? V : never
export type ExifTags = Partial<Record<MapValue<typeof mainTags> | MapValue<typeof exifTags>, string | number>>
type TagNames = ReadonlyMap<number, keyof ExifTags>

/** Files of strangers name any number of entries and any length of a value. Cameras need less than this. */
const maxEntries = 1000
const maxTextBytes = 1024

/** `names` are those of the first directory of the block. Throws ReadLimitExceeded. */
export async function readTags(file: EditedFile, block: Piece, names: TagNames = mainTags): Promise<ExifTags> {
  const header = await file.read(block.at, Math.min(8, block.length))
  const order = header.toString('latin1', 0, 2)
  if (header.length < 8 || (order !== 'II' && order !== 'MM')) return {}
  const isLittle = order === 'II'
  const tiff = openTiff(file, block, isLittle)
  const found: ExifTags = {}

  async function readDirectory(start: number, names: TagNames): Promise<number | null> {
    let exifStart: number | null = null
    const { entries } = await tiff.directory(start, maxEntries)
    for (const entry of entries) {
      if (entry.tag === exifDirectoryTag) exifStart ??= await readNumber(file, entry, isLittle)
      const name = names.get(entry.tag)
      if (name === undefined || found[name] !== undefined) continue
      const value = entry.type === asciiType ? await readText(file, entry) : await readNumber(file, entry, isLittle)
      if (value !== null) found[name] = value
    }
    return exifStart
  }

  const mainStart = tiff.uint32(header, 4)
  // No directory begins inside of the header.
  const exifStart = mainStart < 8 ? null : await readDirectory(mainStart, names)
  if (exifStart !== null && exifStart >= 8) await readDirectory(exifStart, exifTags)
  return found
}

const asciiType = 2

async function readText(file: EditedFile, { value }: TiffEntry): Promise<string | null> {
  const bytes = await file.read(value.at, Math.min(value.length, maxTextBytes))
  return bytes.toString('utf8').replace(/\0+$/, '').trim() || null
}

type ReadNumber = (view: DataView, isLittle: boolean) => number

/** By the type of the value. */
const numberReaders: Record<number, ReadNumber> = {
  3: (view, isLittle) => view.getUint16(0, isLittle),
  4: (view, isLittle) => view.getUint32(0, isLittle),
  5: (view, isLittle) => view.getUint32(0, isLittle) / view.getUint32(4, isLittle),
  6: (view) => view.getInt8(0),
  8: (view, isLittle) => view.getInt16(0, isLittle),
  9: (view, isLittle) => view.getInt32(0, isLittle),
  10: (view, isLittle) => view.getInt32(0, isLittle) / view.getInt32(4, isLittle),
  11: (view, isLittle) => view.getFloat32(0, isLittle),
  12: (view, isLittle) => view.getFloat64(0, isLittle),
  13: (view, isLittle) => view.getUint32(0, isLittle),
}

/** Returns null for lists, bytes and truncated values. */
async function readNumber(
  file: EditedFile,
  { type, count, value }: TiffEntry,
  isLittle: boolean,
): Promise<number | null> {
  const read = numberReaders[type]
  if (!read || count !== 1) return null
  const bytes = await file.read(value.at, value.length)
  if (bytes.length < (typeBytes[type] ?? 0)) return null
  return read(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), isLittle)
}
