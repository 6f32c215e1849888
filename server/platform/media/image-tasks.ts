/** What an image worker is asked to do. Paths in, a path out: no pixels travel. */
export type ImageTask = ThumbnailTask | RenditionTask

type Source = {
  sourcePath: string
  /** Refuse what must be held whole and is larger than this. */
  maxHeldBytes: number
}

/** Makes the thumbnail of an arriving picture and reads what its file tells. */
export type ThumbnailTask = Source & { kind: 'thumbnail'; thumbnailPath: string }

/** Makes a picture to look at, or a smaller one to take home. */
export type RenditionTask = Source & {
  kind: 'rendition'
  targetPath: string
  /** It fits inside, upright, and is never enlarged. */
  box: { width: number; height: number }
  format: RenditionFormat
  quality: number
  /** Made for many answers: durable, and as small as it can be. Else made for one, with little memory. */
  isKept: boolean
}

export type RenditionFormat = 'jpeg' | 'webp' | 'png'

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

export type FactsOf<Task extends ImageTask> = Task extends ThumbnailTask ? PictureFacts : RenditionFacts

export type ImageTaskResult<Task extends ImageTask = ImageTask> =
  | { outcome: 'made'; facts: FactsOf<Task> }
  /** The file is at fault; `reason` is for the log. */
  | { outcome: 'unreadable'; reason: string }

/** sharp's own bound, 0x3FFF²; the specification's 268,402,689. */
export const maxPixels = 268_402_689

/** Thumbnails fit into a square of this edge. */
export const thumbnailEdgePx = 480
