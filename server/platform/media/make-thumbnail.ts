import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import exifr from 'exifr'
import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
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

async function createThumbHash(thumbnail: Buffer): Promise<string> {
  const { data, info } = await sharp(thumbnail)
    .resize(100, 100, { fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
}

/** Returns epoch milliseconds, or null. Cameras write local time; a time without an offset is read as UTC. */
export async function readCaptureTime(path: string): Promise<number | null> {
  const tags = await exifr
    .parse(path, { pick: ['DateTimeOriginal', 'CreateDate', 'OffsetTimeOriginal'], reviveValues: false })
    .catch(() => undefined)
  const written: unknown = tags?.DateTimeOriginal ?? tags?.CreateDate
  if (typeof written !== 'string') return null
  const [, date, time] = /^(\d{4}[:-]\d{2}[:-]\d{2})[ T](\d{2}:\d{2}:\d{2})/.exec(written) ?? []
  if (!date || !time) return null
  const offset: unknown = tags?.OffsetTimeOriginal
  const zone = typeof offset === 'string' && /^[+-]\d{2}:\d{2}$/.test(offset) ? offset : 'Z'
  const epochMs = Date.parse(`${date.replaceAll(':', '-')}T${time}${zone}`)
  return Number.isNaN(epochMs) ? null : epochMs
}
