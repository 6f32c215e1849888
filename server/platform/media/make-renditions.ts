import sharp, { type Sharp } from 'sharp'
import { must } from '../../../contract/must.ts'
import { drawWatermark } from './draw-watermark.ts'
import { readFileFacts } from './file-facts.ts'
import type { LogoTone, PixelSize, RenditionFacts, RenditionTask, RequestMemory } from './image-tasks.ts'
import { openPicture } from './open-picture.ts'

/** Makes upright sRGB pictures without metadata. If it throws, the calling function must remove the written files. */
export async function makeRenditions(task: RenditionTask, requestMemory: RequestMemory): Promise<RenditionFacts[]> {
  const { picture, metadata, decodingBytes } = await openPicture(task)
  const sizes = task.targets.map(({ box }) =>
    task.isCropped || task.isPadded ? box : sizeWithin(metadata.autoOrient, box),
  )
  const base = task.isCropped || task.isPadded ? task.base : sizeWithin(metadata.autoOrient, task.base)
  await requestMemory(decodingBytes + estimateEncodingBytes(task, base, metadata.hasAlpha))
  const shaped = task.isCropped ? cropped : task.isPadded ? padded : resized
  const upright = shaped(picture.autoOrient(), base).toColourspace('srgb')
  const isOnlyBase = sizes.length === 1 && sizes[0]?.width === base.width && sizes[0].height === base.height
  const source = isOnlyBase ? () => upright : await decoded(upright)
  for (const [index, { targetPath }] of task.targets.entries()) {
    const size = sizes[index] ?? base
    const fitted = isOnlyBase ? source() : resized(source(), size)
    const marked = task.watermark ? fitted.composite([await drawWatermark(task.watermark, size)]) : fitted
    await encoded(marked, task, size).toFile(targetPath)
  }
  return Promise.all(
    task.targets.map(async ({ targetPath }, index) => ({
      ...(sizes[index] ?? base),
      ...(await readFileFacts(targetPath, { isSynced: task.isKept })),
      ...(task.isPadded && (await readTone(targetPath, task))),
      ...(task.checksOpacity && { isOpaque: (await sharp(targetPath).stats()).isOpaque }),
    })),
  )
}

function sizeWithin({ width, height }: PixelSize, box: PixelSize): PixelSize {
  const scale = Math.min(1, box.width / width, box.height / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/**
 * Measured for each pixel of the base: 3 bytes for one target or 4 for several. An encoder that needs the whole picture
 * in memory adds 6 bytes, AVIF 25. A transparent picture needs up to twice as much.
 */
function estimateEncodingBytes(
  { format, isOptimized, targets }: RenditionTask,
  { width, height }: PixelSize,
  hasAlpha: boolean,
): number {
  const encoder = format === 'avif' ? 25 : format === 'webp' || (format === 'jpeg' && isOptimized) ? 6 : 0
  const bytesPerPixel = encoder + (targets.length > 1 ? 4 : 3)
  return width * height * bytesPerPixel * (hasAlpha ? 2 : 1)
}

const resized = (picture: Sharp, size: PixelSize): Sharp => picture.resize({ ...size, fit: 'fill' })

const cropped = (picture: Sharp, size: PixelSize): Sharp =>
  picture.resize({ ...size, fit: 'cover', position: sharp.strategy.attention })

const padded = (picture: Sharp, size: PixelSize): Sharp =>
  picture.ensureAlpha().resize({ ...size, fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })

/** Dark means that nothing is light on black; light, that nothing is dark on white. Opaque pictures have no tone. */
async function readTone(path: string, { sourcePath }: RenditionTask): Promise<{ tone?: LogoTone }> {
  if ((await sharp(sourcePath).stats()).isOpaque) return {}
  const readGrey = async (background: string) =>
    must(
      (await sharp(await sharp(path).flatten({ background }).greyscale().toBuffer()).stats()).channels[0],
      'a channel',
    )
  if ((await readGrey('#000')).max < 128) return { tone: 'dark' }
  return (await readGrey('#fff')).min > 160 ? { tone: 'light' } : {}
}

async function decoded(picture: Sharp): Promise<() => Sharp> {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return () => sharp(data, { raw: { width, height, channels } })
}

function encoded(picture: Sharp, { format, quality, isOptimized }: RenditionTask, { width }: PixelSize): Sharp {
  if (format === 'webp') return picture.webp({ quality, effort: width >= largeWidth ? 1 : 2 })
  if (format === 'avif') return picture.avif({ quality: avifQuality(quality), effort: 2 })
  if (format === 'png') return picture.png()
  return picture.flatten({ background: '#ffffff' }).jpeg({ quality, optimiseCoding: isOptimized })
}

/**
 * Effort 2 takes nearly half the time of the default 4, for 5 % more bytes. From 1,600 pixels on, effort 1 takes two
 * thirds of the time of effort 2 and gives files of the same size; below, they would be 10 to 20 % larger.
 */
const largeWidth = 1_600

/** AVIF has another scale: its quality 60 looks like quality 80 of the other formats. */
const avifQuality = (quality: number): number => Math.round(quality * 0.75)
