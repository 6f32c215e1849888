/** Makes the thumbnail of a stored picture and reads what its file tells. Paths in, a path out: no pixels travel. */
export type ImageTask = {
  sourcePath: string
  thumbnailPath: string
  /** Refuse what must be held whole and is larger than this. */
  maxHeldBytes: number
}

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

export type ImageTaskResult =
  | { outcome: 'made'; facts: PictureFacts }
  /** The file is at fault; `reason` is for the log. */
  | { outcome: 'unreadable'; reason: string }

/** sharp's own bound, 0x3FFF²; the specification's 268,402,689. */
export const maxPixels = 268_402_689

/** Thumbnails fit into a square of this edge. */
export const thumbnailEdgePx = 480
