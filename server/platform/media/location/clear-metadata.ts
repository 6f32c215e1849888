import type { EditedFile, Piece } from './edited-file.ts'
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

const xmpUuid = 'be7acfcb97a942e89c71999491e3afac'

/** A `uuid` box may contain XMP or other data; only XMP is cleared. */
export async function clearUuidBox(file: EditedFile, { at, length }: Piece): Promise<void> {
  const isXmp = (await file.read(at, 16)).toString('hex') === xmpUuid
  if (isXmp) await clearXmp(file, [{ at: at + 16, length: length - 16 }])
}

async function clearIptc(file: EditedFile, pieces: readonly Piece[]): Promise<void> {
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

/**
 * Clears an EXIF block, with or without the six-byte prefix of JPEG. Blanks a block that cannot be parsed or has
 * several pieces.
 */
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

/** Record 2: content location (26, 27), city, sublocation, province or state, country code, country name. */
const locationDatasets = new Set([26, 27, 90, 92, 95, 100, 101])

const marker = 0x1c

/** Removes the location datasets and everything from the first invalid dataset on. Zeros at the end keep the length. */
function removeLocationDatasets(iim: Buffer): Buffer {
  const kept = Buffer.alloc(iim.length)
  let keptBytes = 0
  for (let at = 0; at + 5 <= iim.length && iim[at] === marker; ) {
    const length = iim.readUInt16BE(at + 3)
    const end = at + 5 + length
    // Either the extended form of a length, which no location needs, or a truncated dataset.
    if (length > 0x7fff || end > iim.length) break
    const isLocation = iim[at + 1] === 2 && locationDatasets.has(iim[at + 2] ?? 0)
    if (!isLocation) keptBytes += iim.copy(kept, keptBytes, at, end)
    at = end
  }
  return kept
}

/** `start` is the offset from the start of all image resources. */
type PhotoshopResource = { id: number; start: number; length: number }

const resourceIds = { iptc: 0x0404, exif: 0x0422, secondExif: 0x0423, xmp: 0x0424 }

/** Returns null when the resources are truncated or something else is between them. */
function photoshopResources(bytes: Buffer): PhotoshopResource[] | null {
  const resources: PhotoshopResource[] = []
  let at = 0
  while (at + 12 <= bytes.length && bytes[at] !== 0) {
    if (!/^[8A-Z][A-Z]{3}$|^8BIM$|^MeSa$/.test(bytes.toString('latin1', at, at + 4))) return null
    const nameBytes = bytes[at + 6] ?? 0
    const sizeAt = at + 6 + ((nameBytes + 2) & ~1)
    if (sizeAt + 4 > bytes.length) return null
    const length = bytes.readUInt32BE(sizeAt)
    if (sizeAt + 4 + length > bytes.length) return null
    resources.push({ id: bytes.readUInt16BE(at + 4), start: sizeAt + 4, length })
    at = sizeAt + 4 + length + (length & 1)
  }
  return resources
}
