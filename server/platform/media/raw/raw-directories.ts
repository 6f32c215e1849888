import type { Piece } from '../location/edited-file.ts'
import { openTiff, type TiffEntry } from '../location/tiff-location.ts'
import type { RawSource } from './raw-source.ts'

export const rawTags = {
  compression: 0x0103,
  photometric: 0x0106,
  make: 0x010f,
  stripOffsets: 0x0111,
  orientation: 0x0112,
  stripBytes: 0x0117,
  tileOffsets: 0x0144,
  tileBytes: 0x0145,
  subDirectories: 0x014a,
  jpegOffset: 0x0201,
  jpegBytes: 0x0202,
  exif: 0x8769,
  makerNote: 0x927c,
  dngVersion: 0xc612,
  embeddedOriginal: 0xc68c,
}

/** The pixels of a sensor: a color filter array, or linear values of it. */
const rawPhotometrics = [32_803, 34_892]
/** The compressions of Nikon, Sony (compressed, packed) and Pentax. */
const rawCompressions = [34_713, 32_767, 32_769, 65_535]

const maxDirectories = 64
const maxEntries = 200
const shortType = 3

export type RawDirectory = {
  isLittle: boolean
  entry(tag: number): TiffEntry | undefined
  /** Returns null unless the value is a single short or long number. */
  number(tag: number): number | null
  hasSensorPixels(): boolean
}

export type RawDirectories = { directories: RawDirectory[]; isComplete: boolean }

/** Returns one directory of a block. `start` counts from the start of the block. */
export async function readDirectory(source: RawSource, block: Piece, start: number, isLittle: boolean) {
  const { entries, next } = await openTiff(source, block, isLittle).directory(start, maxEntries)
  return { directory: toDirectory(entries, isLittle), isComplete: entries.length < maxEntries, next }
}

/**
 * Returns up to 64 directories of a block that begins with a TIFF header of any magic number, the main one first. Follows
 * the chain, sub-directories and the EXIF directory. Returns none for a block without a byte order.
 */
export async function readDirectories(source: RawSource, block: Piece): Promise<RawDirectories> {
  const header = await source.read(block.at, Math.min(8, block.length))
  const order = header.toString('latin1', 0, 2)
  if (header.length < 8 || (order !== 'II' && order !== 'MM')) return { directories: [], isComplete: true }
  const isLittle = order === 'II'
  const tiff = openTiff(source, block, isLittle)

  const found: RawDirectories = { directories: [], isComplete: true }
  const seen = new Set<number>()
  const waiting = [tiff.uint32(header, 4)]
  for (let start = waiting.shift(); start !== undefined; start = waiting.shift()) {
    if (start < 8 || seen.has(start)) continue
    if (seen.size === maxDirectories) return { ...found, isComplete: false }
    seen.add(start)
    const { directory, isComplete, next } = await readDirectory(source, block, start, isLittle)
    found.directories.push(directory)
    found.isComplete &&= isComplete
    const subDirectories = directory.entry(rawTags.subDirectories)
    if (subDirectories) waiting.push(...(await tiff.offsets(subDirectories, maxDirectories)))
    waiting.push(directory.number(rawTags.exif) ?? 0, isComplete ? next : 0)
  }
  return found
}

function toDirectory(entries: readonly TiffEntry[], isLittle: boolean): RawDirectory {
  const byTag = new Map(entries.map((entry) => [entry.tag, entry]))

  function number(tag: number): number | null {
    const { type, count, offset } = byTag.get(tag) ?? { type: 0, count: 0, offset: 0 }
    if (count !== 1) return null
    if (type === shortType) return isLittle ? offset & 0xffff : offset >>> 16
    return type === 4 || type === 13 ? offset : null
  }

  const hasSensorPixels = (): boolean =>
    rawPhotometrics.includes(number(rawTags.photometric) ?? 0) ||
    rawCompressions.includes(number(rawTags.compression) ?? 0)

  return { isLittle, entry: (tag) => byTag.get(tag), number, hasSensorPixels }
}
