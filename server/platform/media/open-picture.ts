import sharp, { type Metadata, type Sharp } from 'sharp'
import { type MeasureTask, maxPixels, type PixelSize } from './image-tasks.ts'

sharp.concurrency(1)
sharp.cache(false)

/** The picture is too large to be decoded. It need not be damaged. */
export class TooManyPixels extends Error {}

export async function openPicture(task: {
  sourcePath: string
  maxBufferedBytes: number
}): Promise<{ picture: Sharp; header: Metadata }> {
  const picture = sharp(task.sourcePath, { failOn: 'error', limitInputPixels: maxPixels, sequentialRead: true })
  const header = await picture.metadata()
  const isLargeFormat = header.format === 'heif' || header.format === 'tiff'
  const pixels = header.width * header.height
  if (pixels > maxPixels) throw new TooManyPixels('more pixels than are decoded')
  if (isLargeFormat && pixels * 6 > task.maxBufferedBytes) throw new TooManyPixels('too large to be held')
  return { picture, header }
}

/** Reads only the header. Throws when the header is damaged or the picture has more than `maxPixels` pixels. */
export async function measurePicture(task: MeasureTask): Promise<PixelSize> {
  const { header } = await openPicture({ ...task, maxBufferedBytes: Number.POSITIVE_INFINITY })
  const { width, height } = header.autoOrient
  return { width, height }
}
