import { parseCaptureTime } from '../../../contract/files/capture-times.ts'
import type { ExifTags } from './exif-tags.ts'
import { readExif } from './read-exif.ts'

/** Returns epoch milliseconds of the time on the clock of the camera, read as UTC, or null. */
export const readCaptureTime = async (path: string): Promise<number | null> => getCaptureTime(await readExif(path))

/** Returns what `readCaptureTime` does. */
export const getCaptureTime = (tags: ExifTags): number | null =>
  parseCaptureTime(tags.DateTimeOriginal ?? tags.CreateDate)
