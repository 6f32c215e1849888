import type { EditedFile, Piece } from './edited-file.ts'
import { photoshopResources, removeLocationDatasets, resourceIds } from './iptc-location.ts'
import { type BlockClearers, clearTiff } from './tiff-location.ts'
import { blankLocations } from './xmp-location.ts'

// Metadata blocks become blocks of the same length without locations; a block that cannot be parsed is blanked.

/** More text than any photo program writes; a larger block is blanked. */
const maxTextBytes = 2 ** 21
const space = 0x20

export async function clearXmp(file: EditedFile, pieces: readonly Piece[]): Promise<void> {
  if (totalLength(pieces) > maxTextBytes) return blank(file, pieces, space)
  await file.writePieces(pieces, blankLocations(await file.readPieces(pieces)))
}

export async function clearIptc(file: EditedFile, pieces: readonly Piece[]): Promise<void> {
  if (totalLength(pieces) > maxTextBytes) return blank(file, pieces, 0)
  await file.writePieces(pieces, removeLocationDatasets(await file.readPieces(pieces)))
}

export async function clearPhotoshop(file: EditedFile, pieces: readonly Piece[]): Promise<void> {
  const isLarge = totalLength(pieces) > maxTextBytes
  const resources = isLarge ? null : photoshopResources(await file.readPieces(pieces))
  if (!resources) return blank(file, pieces, 0)
  for (const { id, start, length } of resources) {
    const inside = slicePieces(pieces, start, length)
    if (id === resourceIds.iptc) await clearIptc(file, inside)
    if (id === resourceIds.xmp) await clearXmp(file, inside)
    if (id === resourceIds.exif || id === resourceIds.secondExif) await clearExif(file, inside)
  }
}

export const blockClearers: BlockClearers = { xmp: clearXmp, iptc: clearIptc, photoshop: clearPhotoshop }

const exifPrefix = Buffer.from('Exif\0')

/** An EXIF block, with or without the six bytes that JPEG has before it. */
export async function clearExif(file: EditedFile, pieces: readonly Piece[]): Promise<void> {
  const [piece] = pieces
  if (!piece) return
  const start = (await file.read(piece.at, 6)).subarray(0, 5).equals(exifPrefix) ? 6 : 0
  const isUnderstood =
    pieces.length === 1 &&
    (await clearTiff(file, { at: piece.at + start, length: piece.length - start }, blockClearers))
  if (!isUnderstood) await blank(file, pieces, 0)
}

export async function blank(file: EditedFile, pieces: readonly Piece[], value: number): Promise<void> {
  for (const { at, length } of pieces) await file.fill(at, length, value)
}

const totalLength = (pieces: readonly Piece[]): number => pieces.reduce((sum, { length }) => sum + length, 0)

function slicePieces(pieces: readonly Piece[], start: number, length: number): Piece[] {
  const inside: Piece[] = []
  let passed = 0
  for (const piece of pieces) {
    const from = Math.max(start - passed, 0)
    const to = Math.min(start + length - passed, piece.length)
    if (from < to) inside.push({ at: piece.at + from, length: to - from })
    passed += piece.length
  }
  return inside
}
