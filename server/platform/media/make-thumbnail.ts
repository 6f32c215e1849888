import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { readCaptureTime } from './capture-time.ts'
import { type PictureFacts, type RequestMemory, type ThumbnailTask, thumbnailEdgePx } from './image-tasks.ts'
import { openPicture } from './open-picture.ts'

/** Throws when the file cannot be decoded to its end, has too many pixels, or needs more memory than allowed. */
export async function makeThumbnail(
  task: Omit<ThumbnailTask, 'kind'>,
  requestMemory: RequestMemory,
): Promise<PictureFacts> {
  const { xmp: _xmp, ...picture } = await makeThumbnailWithXmp(task, requestMemory)
  return picture
}

/** Also returns the XMP packet of the file, which is read with its header. */
export async function makeThumbnailWithXmp(
  task: Omit<ThumbnailTask, 'kind'>,
  requestMemory: RequestMemory,
): Promise<PictureFacts & { xmp: Buffer | null }> {
  const { picture, metadata, imageKind, decodingBytes } = await openPicture(task)
  await requestMemory(decodingBytes)
  const { data, info } = await picture
    .autoOrient()
    .resize(thumbnailEdgePx, thumbnailEdgePx, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .jpeg({ quality: 80 })
    .toBuffer({ resolveWithObject: true })
  await writeFile(task.thumbnailPath, data, { flush: true })

  return {
    imageKind,
    width: metadata.autoOrient.width,
    height: metadata.autoOrient.height,
    capturedAt: await readCaptureTime(task.sourcePath),
    thumbhash: await createThumbHash(data),
    thumbnail: { sizeBytes: info.size, sha256: createHash('sha256').update(data).digest('hex') },
    xmp: metadata.xmp ?? null,
  }
}

/** A hash describes at most seven waves in each direction: more pixels take longer and give hardly another hash. */
const thumbHashEdgePx = 60

async function createThumbHash(thumbnail: Buffer): Promise<string> {
  const { data, info } = await sharp(thumbnail)
    .resize(thumbHashEdgePx, thumbHashEdgePx, { fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
}
