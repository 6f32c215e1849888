import { type Piece, ReadLimitExceeded } from '../location/edited-file.ts'
import { findJpegExif } from '../location/jpeg-location.ts'
import { type EmbeddedPicture, readCr3 } from './cr3-boxes.ts'
import type { RawKind } from './detect-raw-kind.ts'
import { findNotePreview } from './maker-note.ts'
import { type RawDirectory, rawTags, readDirectories } from './raw-directories.ts'
import type { RawSource } from './raw-source.ts'

export type RawPictures = {
  pictures: EmbeddedPicture[]
  /** The orientation in the main directory: 1 to 8, or null. */
  orientation: number | null
  /** False if the file has more than is read. */
  isComplete: boolean
}

const maxPictures = 64
/** JPEG as in old and in new TIFF. */
const jpegCompressions = [6, 7]
/** Whole JPEG files as values in the main directory of RW2. */
const panasonicTags = [0x002e, 0x0127]
const rafHeaderBytes = 92

/** Returns up to 64 places where a raw file of this kind says that pictures are. Their content is not checked. */
export async function listPictures(source: RawSource, kind: RawKind): Promise<RawPictures> {
  const list = await (listers[kind] ?? listTiffPictures)(source)
  const places = new Map(list.pictures.map((picture) => [`${picture.at} ${picture.length}`, picture]))
  const isComplete = list.isComplete && places.size <= maxPictures && !source.isExhausted()
  return { ...list, pictures: [...places.values()].slice(0, maxPictures), isComplete }
}

const listers: Partial<Record<RawKind, (source: RawSource) => Promise<RawPictures>>> = {
  cr3: async (source) => {
    const { main, pictures, isComplete } = await readCr3(source)
    return { pictures, orientation: main ? await readOrientation(source, main) : null, isComplete }
  },
  raf: async (source) => {
    const picture = await findRafPicture(source)
    const exif = picture && (await findExif(source, picture.at))
    const orientation = exif && (await readOrientation(source, exif))
    return { pictures: picture ? [picture] : [], orientation, isComplete: true }
  },
}

/** Returns the place of the picture that the header names, or null. */
export async function findRafPicture(source: Pick<RawSource, 'read'>): Promise<Piece | null> {
  const header = await source.read(0, rafHeaderBytes)
  return header.length < rafHeaderBytes ? null : { at: header.readUInt32BE(84), length: header.readUInt32BE(88) }
}

async function findExif(source: RawSource, at: number): Promise<Piece | null> {
  try {
    return await findJpegExif(source, at)
  } catch (error) {
    if (error instanceof ReadLimitExceeded) return null
    throw error
  }
}

async function readOrientation(source: RawSource, block: Piece): Promise<number | null> {
  const { directories } = await readDirectories(source, block)
  return orientationOf(directories)
}

function orientationOf([main]: readonly RawDirectory[]): number | null {
  const value = main?.number(rawTags.orientation) ?? 0
  return value >= 1 && value <= 8 ? value : null
}

async function listTiffPictures(source: RawSource): Promise<RawPictures> {
  const { directories, isComplete } = await readDirectories(source, { at: 0, length: source.sizeBytes })
  const values = panasonicTags.map((tag) => directories[0]?.entry(tag)?.value)
  const preview = await findNotePreview(source, directories)
  const pictures = [...values, ...directories.flatMap(picturesOf), preview].flatMap((picture) => picture ?? [])
  return { pictures, orientation: orientationOf(directories), isComplete }
}

/** Only data in one piece: the strips or tiles of a picture are separate JPEG files. */
function picturesOf(directory: RawDirectory): Piece[] {
  const pictureAt = (offsetTag: number, bytesTag: number): Piece[] => {
    const [at, length] = [directory.number(offsetTag), directory.number(bytesTag)]
    return at !== null && length !== null ? [{ at, length }] : []
  }
  const isJpeg = jpegCompressions.includes(directory.number(rawTags.compression) ?? 0)
  const isPicture = isJpeg && !directory.hasSensorPixels()
  return [
    ...pictureAt(rawTags.jpegOffset, rawTags.jpegBytes),
    ...(isPicture ? pictureAt(rawTags.stripOffsets, rawTags.stripBytes) : []),
    ...(isPicture ? pictureAt(rawTags.tileOffsets, rawTags.tileBytes) : []),
  ]
}
