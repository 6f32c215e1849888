import sharp, { type Metadata, type Sharp } from 'sharp'
import { estimateDecodingBytes, type ImageHeader, readImageHeader } from './image-header.ts'
import type { ImageKind } from './image-kinds.ts'
import {
  type ImageRejection,
  type MeasureTask,
  maxPixels,
  type PixelSize,
  type RequestMemory,
  type ThumbnailTask,
} from './image-tasks.ts'

sharp.concurrency(1)
sharp.cache(false)

export class RejectedPicture extends Error {
  readonly rejection: Pick<ImageRejection, 'cause' | 'imageKind'>
  constructor(cause: ImageRejection['cause'], imageKind: ImageKind | null, message: string) {
    super(message)
    this.rejection = { cause, imageKind }
  }
}

type PictureSource = Pick<ThumbnailTask, 'sourcePath' | 'maxBufferedBytes' | 'accepts'>

export type OpenedPicture = {
  picture: Sharp
  metadata: Metadata
  imageKind: ImageKind
  /** What decoding needs; Infinity for a fully buffered picture of unknown size. */
  decodingBytes: number
}

/** Reads only the header. Throws RejectedPicture, and other errors for a damaged header. */
export async function openPicture(source: PictureSource): Promise<OpenedPicture> {
  const { sourcePath, maxBufferedBytes } = source
  const { kind: imageKind, decodingBytes } = validateHeader(await readImageHeader(sourcePath), source)
  // Without a limit, because sharp would report a picture above it like a damaged one.
  const metadata = await sharp(sourcePath, { limitInputPixels: false }).metadata()
  const isLargeFormat = metadata.format === 'heif' || metadata.format === 'tiff'
  const pixels = metadata.width * metadata.height
  if (pixels > maxPixels || (isLargeFormat && pixels * 6 > maxBufferedBytes)) throw tooLarge(imageKind)
  const picture = sharp(sourcePath, { failOn: 'error', limitInputPixels: maxPixels, sequentialRead: true })
  return { picture, metadata, imageKind, decodingBytes }
}

/** Throws RejectedPicture. A header without a size is accepted: `openPicture` reads the size. */
export function validateHeader(
  header: ImageHeader | null,
  { accepts, maxBufferedBytes }: Pick<PictureSource, 'accepts' | 'maxBufferedBytes'>,
): { kind: ImageKind; decodingBytes: number } {
  if (!header || accepts?.includes(header.kind) === false) {
    throw new RejectedPicture('kind', header?.kind ?? null, 'not a picture of an accepted kind')
  }
  const { kind, width, height } = header
  const decodingBytes = estimateDecodingBytes(header)
  if (width !== null && height !== null) {
    if (width === 0 || height === 0) throw new RejectedPicture('damage', kind, 'a picture without pixels')
    if (width * height > maxPixels || decodingBytes > maxBufferedBytes) throw tooLarge(kind)
  }
  return { kind, decodingBytes }
}

const tooLarge = (kind: ImageKind) => new RejectedPicture('size', kind, 'more pixels than are decoded')

const measuringBytes = 32 * 2 ** 20

/** Throws the errors of `openPicture`. */
export async function measurePicture(task: MeasureTask, requestMemory: RequestMemory): Promise<PixelSize> {
  await requestMemory(measuringBytes)
  const { metadata } = await openPicture({ ...task, maxBufferedBytes: Number.POSITIVE_INFINITY })
  const { width, height } = metadata.autoOrient
  return { width, height }
}
