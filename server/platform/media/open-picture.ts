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
  override readonly cause: ImageRejection['cause']
  readonly imageKind: ImageKind | null
  constructor(cause: ImageRejection['cause'], imageKind: ImageKind | null, message: string) {
    super(message)
    this.cause = cause
    this.imageKind = imageKind
  }
}

type PictureSource = Pick<ThumbnailTask, 'sourcePath' | 'maxBufferedBytes' | 'accepts'>

export type OpenedPicture = {
  picture: Sharp
  header: Metadata
  imageKind: ImageKind
  /** What decoding needs; Infinity for a fully buffered picture of unknown size. */
  decodingBytes: number
}

/** Reads only the header. Throws RejectedPicture, and other errors for a damaged header. */
export async function openPicture(source: PictureSource): Promise<OpenedPicture> {
  const { sourcePath, maxBufferedBytes } = source
  const { kind: imageKind, decodingBytes } = checkFrame(await readImageHeader(sourcePath), source)
  // Without a limit, because sharp would report a picture above it like a damaged one.
  const header = await sharp(sourcePath, { limitInputPixels: false }).metadata()
  const isLargeFormat = header.format === 'heif' || header.format === 'tiff'
  const pixels = header.width * header.height
  if (pixels > maxPixels || (isLargeFormat && pixels * 6 > maxBufferedBytes)) throw tooLarge(imageKind)
  const picture = sharp(sourcePath, { failOn: 'error', limitInputPixels: maxPixels, sequentialRead: true })
  return { picture, header, imageKind, decodingBytes }
}

/** Throws RejectedPicture. A frame of unknown size is accepted: `openPicture` reads its size. */
export function checkFrame(
  frame: ImageHeader | null,
  { accepts, maxBufferedBytes }: Pick<PictureSource, 'accepts' | 'maxBufferedBytes'>,
): { kind: ImageKind; decodingBytes: number } {
  if (!frame || accepts?.includes(frame.kind) === false) {
    throw new RejectedPicture('kind', frame?.kind ?? null, 'not a picture of an accepted kind')
  }
  const { kind, width, height } = frame
  const decodingBytes = estimateDecodingBytes(frame)
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
  const { header } = await openPicture({ ...task, maxBufferedBytes: Number.POSITIVE_INFINITY })
  const { width, height } = header.autoOrient
  return { width, height }
}
