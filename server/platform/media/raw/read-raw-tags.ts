import { type ExifTags, exifTags, readTags } from '../exif-tags.ts'
import type { EditedFile, Piece } from '../location/edited-file.ts'
import { findJpegExif } from '../location/jpeg-location.ts'
import { readCr3 } from './cr3-boxes.ts'
import type { RawKind } from './detect-raw-kind.ts'
import { findRafPicture, listPictures } from './list-pictures.ts'
import { limitFile } from './raw-source.ts'

/** Throws ReadLimitExceeded and RangeError. */
export async function readRawTags(file: EditedFile, kind: RawKind): Promise<ExifTags> {
  if (kind === 'raf') {
    const picture = await findRafPicture(file)
    return picture ? readJpegTags(file, picture) : {}
  }
  if (kind === 'cr3') {
    const { main, exif } = await readCr3(limitFile(file))
    return { ...(main && (await readTags(file, main))), ...(exif && (await readTags(file, exif, exifTags))) }
  }
  const tags = await readTags(file, { at: 0, length: file.sizeBytes })
  if (kind !== 'rw2') return tags
  const { pictures } = await listPictures(limitFile(file), kind)
  return { ...(pictures[0] && (await readJpegTags(file, pictures[0]))), ...tags }
}

async function readJpegTags(file: EditedFile, { at }: Piece): Promise<ExifTags> {
  const exif = await findJpegExif(file, at)
  return exif ? readTags(file, exif) : {}
}
