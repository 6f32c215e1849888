import sharp, { type Metadata, type Sharp } from 'sharp'
import { maxPixels } from './image-tasks.ts'

sharp.concurrency(1)
sharp.cache(false)

/** Throws for what is no picture, and for one that must be held whole and would take more memory than allowed. */
export async function openPicture(task: {
  sourcePath: string
  maxHeldBytes: number
}): Promise<{ picture: Sharp; header: Metadata }> {
  const picture = sharp(task.sourcePath, { failOn: 'error', limitInputPixels: maxPixels, sequentialRead: true })
  const header = await picture.metadata()
  const isLargeFormat = header.format === 'heif' || header.format === 'tiff'
  if (isLargeFormat && header.width * header.height * 6 > task.maxHeldBytes) throw new Error('too large to be held')
  return { picture, header }
}
