/** Tasks of an image worker. They contain paths, never pixels. */
export type ImageTask = ThumbnailTask | RenditionTask | MeasureTask

type Source = {
  sourcePath: string
  /** Limit for a HEIC, AVIF or TIFF picture, which is decoded as a whole in memory; a larger one is rejected. */
  maxBufferedBytes: number
}

export type ThumbnailTask = Source & { kind: 'thumbnail'; thumbnailPath: string }

export type MeasureTask = Pick<Source, 'sourcePath'> & { kind: 'measure' }

export type RenditionTask = Source & {
  kind: 'rendition'
  /** The source is decoded once, into this box; the targets are made from the result. */
  base: PixelSize
  targets: RenditionTarget[]
  format: RenditionFormat
  quality: number
  watermark: Watermark | null
  isKept: boolean
  /** Makes the smallest files, for which the encoder holds the whole picture in memory. */
  isOptimized: boolean
  /** The pictures fill their boxes: they are cropped around the subject, and enlarged where necessary. */
  isCropped?: boolean
}

export type RenditionTarget = {
  targetPath: string
  /** The upright picture fits inside and is not enlarged, unless it is cropped. */
  box: PixelSize
}

export type PixelSize = { width: number; height: number }

export type RenditionFormat = 'jpeg' | 'webp' | 'avif' | 'png'

export type Watermark = { text: string; style: 'tiled' | 'corner'; opacityPercent: number }

export type RenditionFacts = { width: number; height: number; sizeBytes: number; sha256: string; crc32: number }

export type PictureFacts = {
  /** As displayed, orientation applied. */
  width: number
  height: number
  /** Epoch milliseconds of the camera's clock, read as UTC where the file has no time zone; null when unknown. */
  capturedAt: number | null
  /** Base64, about 30 characters. */
  thumbhash: string
  thumbnail: { sizeBytes: number; sha256: string }
}

export type TaskFacts<Task extends ImageTask> = Task extends ThumbnailTask
  ? PictureFacts
  : Task extends MeasureTask
    ? PixelSize
    : RenditionFacts[]

export type ImageTaskResult<Task extends ImageTask = ImageTask> =
  | { outcome: 'made'; facts: TaskFacts<Task> }
  /** The file itself is the cause. `reason` is for the log; with `isTooLarge` the file need not be damaged. */
  | { outcome: 'unreadable'; reason: string; isTooLarge: boolean }

/** 0x3FFF², the limit of sharp. */
export const maxPixels = 268_402_689

export const thumbnailEdgePx = 480
