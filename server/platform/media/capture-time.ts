import { parseCaptureTime } from '../../../contract/capture-times.ts'
import { readExif } from './read-exif.ts'

/** Returns epoch milliseconds, or null. */
export async function readCaptureTime(path: string): Promise<number | null> {
  const tags = await readExif(path)
  return parseCaptureTime(tags.DateTimeOriginal ?? tags.CreateDate, tags.OffsetTimeOriginal)
}
