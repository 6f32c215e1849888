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
  /** What decoding needs; Infinity for a fully buffered picture whose size is not known before it is opened. */
  decodingBytes: number
}

/** Reads only the header. Throws RejectedPicture, and other errors for a damaged header. */
export async function openPicture(source: PictureSource): Promise<OpenedPicture> {
  const { sourcePath, maxBufferedBytes } = source
  const header = validateHeader(await readImageHeader(sourcePath), source)
  // Without a limit, because sharp would report a picture above it like a damaged one.
  const metadata = await sharp(sourcePath, { limitInputPixels: false }).metadata()
  const pixels = metadata.width * metadata.height
  const decodingBytes = isConfirmed(header, metadata) ? estimateDecodingBytes(header) : Number.POSITIVE_INFINITY
  const isBufferTooLarge = decodingBytes === Number.POSITIVE_INFINITY && pixels * 6 > maxBufferedBytes
  if (pixels > maxPixels || isBufferTooLarge) throw tooLarge(header.kind)
  const picture = sharp(sourcePath, { failOn: 'error', limitInputPixels: maxPixels, sequentialRead: true })
  return { picture, metadata, imageKind: header.kind, decodingBytes }
}

/**
 * Whether the decoder has found what the header declares. It does not if a crafted file declares two sizes, or for a
 * baseline JPEG that has a scan for each color: the decoder holds such a picture in memory like a progressive one.
 */
const isConfirmed = (header: ImageHeader, { width, height, isProgressive }: Metadata): boolean =>
  header.width === width && header.height === height && (header.isFullyBuffered || !isProgressive)

/** Throws RejectedPicture. A header without a size is accepted: `openPicture` checks the size that the decoder finds. */
export function validateHeader(
  header: ImageHeader | null,
  { accepts, maxBufferedBytes }: Pick<PictureSource, 'accepts' | 'maxBufferedBytes'>,
): ImageHeader {
  if (!header || accepts?.includes(header.kind) === false) {
    throw new RejectedPicture('kind', header?.kind ?? null, 'not a picture of an accepted kind')
  }
  const { kind, width, height } = header
  if (width !== null && height !== null) {
    if (width === 0 || height === 0) throw new RejectedPicture('damage', kind, 'a picture without pixels')
    if (width * height > maxPixels || estimateDecodingBytes(header) > maxBufferedBytes) throw tooLarge(kind)
  }
  return header
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
