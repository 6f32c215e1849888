/** What an image worker is asked to do. Paths in, a path out: no pixels travel. */
export type ImageTask = ThumbnailTask | RenditionTask | MeasureTask

type Source = {
  sourcePath: string
  /** Refuse what must be held whole and is larger than this. */
  maxHeldBytes: number
}

/** Makes the thumbnail of an arriving picture and reads what its file tells. */
export type ThumbnailTask = Source & { kind: 'thumbnail'; thumbnailPath: string }

/** Tells how large a picture is, without decoding it. */
export type MeasureTask = Pick<Source, 'sourcePath'> & { kind: 'measure' }

/** Makes smaller pictures, to look at or to take home, all of one decode. */
export type RenditionTask = Source & {
  kind: 'rendition'
  /** The source is decoded once, into this box; the targets are made of that. */
  base: PixelSize
  targets: RenditionTarget[]
  format: RenditionFormat
  quality: number
  /** Drawn over each picture once it has its size. */
  watermark: Watermark | null
  /** Durable when it is made. */
  isKept: boolean
  /** As small as it can be, for which the encoder holds the picture whole; else written as it is read. */
  isOptimised: boolean
  /** They fill their boxes, cut to the shape around what draws the eye, and enlarged where they must be. */
  isCropped?: boolean
}

export type RenditionTarget = {
  targetPath: string
  /** It fits inside, upright, and is never enlarged. */
  box: PixelSize
}

export type PixelSize = { width: number; height: number }

export type RenditionFormat = 'jpeg' | 'webp' | 'avif' | 'png'

/** Words drawn over a picture: all over it, or once at its lower right. */
export type Watermark = { text: string; style: 'tiled' | 'corner'; opacityPercent: number }

/** In the order of the targets. */
export type RenditionFacts = { width: number; height: number; sizeBytes: number; sha256: string; crc32: number }

export type PictureFacts = {
  /** As displayed, orientation applied. */
  width: number
  height: number
  /** Epoch milliseconds of the camera's clock, read as UTC where the file names no zone; null when unknown. */
  capturedAt: number | null
  /** Base64, about 30 characters. */
  thumbhash: string
  thumbnail: { sizeBytes: number; sha256: string }
}

export type FactsOf<Task extends ImageTask> = Task extends ThumbnailTask
  ? PictureFacts
  : Task extends MeasureTask
    ? PixelSize
    : RenditionFacts[]

export type ImageTaskResult<Task extends ImageTask = ImageTask> =
  | { outcome: 'made'; facts: FactsOf<Task> }
  /** The file is at fault; `reason` is for the log. `isTooLarge`: it need not be damaged, it was not even tried. */
  | { outcome: 'unreadable'; reason: string; isTooLarge: boolean }

/** The limit of sharp: 0x3FFF², 268,402,689 pixels. */
export const maxPixels = 268_402_689

/** Thumbnails fit into a square of this edge. */
export const thumbnailEdgePx = 480
