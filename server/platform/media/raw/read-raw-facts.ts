import type { CameraFacts } from '../../../../contract/camera-facts.ts'
import { parseCaptureTime } from '../capture-time.ts'
import { EditedFile, type Piece, ReadLimitExceeded } from '../location/edited-file.ts'
import { findJpegExif } from '../location/jpeg-location.ts'
import type { ReadAt } from '../read-at.ts'
import { parseCamera } from '../read-camera.ts'
import { type ExifTags, exifTags, readTags } from '../read-exif.ts'
import { readCr3 } from './cr3-boxes.ts'
import type { RawKind } from './detect-raw-kind.ts'
import { findRafPicture, listPictures } from './list-pictures.ts'
import { limitFile } from './raw-source.ts'

/** `capturedAt`: epoch milliseconds as of `readCaptureTime`, or null. */
export type RawFacts = { capturedAt: number | null; camera: CameraFacts }

/** Returns nulls for what cannot be read. Throws only the errors of `read`. */
export async function readRawFacts(read: ReadAt, sizeBytes: number, kind: RawKind): Promise<RawFacts> {
  const tags = await readRawTags(new EditedFile(read, sizeBytes), kind).catch((error): ExifTags => {
    if (error instanceof ReadLimitExceeded || error instanceof RangeError) return {}
    throw error
  })
  return { capturedAt: parseCaptureTime(tags), camera: parseCamera(tags) }
}

async function readRawTags(file: EditedFile, kind: RawKind): Promise<ExifTags> {
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
