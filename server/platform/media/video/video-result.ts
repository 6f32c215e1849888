import type { RawKind } from '../raw/detect-raw-kind.ts'
import type { VideoKind } from './video-header.ts'

/** The argument of a video worker, whose input and output are open files. A HEIC file becomes a JPEG of full size. */
/** Makes a JPEG of full size: of a HEIC file, or of the picture in HEVC inside a raw file. */
export type ConversionTask = { kind: 'heic' } | { kind: 'raw'; rawKind: RawKind }
export type WorkerTask = VideoTask | ConversionTask

export type VideoTask = {
  kind: VideoKind
  /** Epoch milliseconds; capture times after it are not plausible. */
  now: number
  /** Decodes what the worker cannot; null when there is none. */
  ffmpegPath: string | null
}

export type VideoFacts = {
  /** As displayed: upright, with square pixels. */
  width: number
  height: number
  /** Seconds; null when the file contains no plausible duration. */
  duration: number | null
  /** Epoch milliseconds; null when the file contains no plausible time. */
  capturedAt: number | null
}

/** The video is the cause. */
export type VideoRejection = 'cut' | 'pictureless' | 'damaged' | 'costly'

/**
 * Why a HEIC file is rejected. `undecodable`: there is no decoder for this platform. Otherwise the file is the cause.
 */
export type HeicRejection = 'damaged' | 'costly' | 'size' | 'unsupported' | 'undecodable'

export type VideoResult =
  | { outcome: 'made'; facts: VideoFacts }
  /** `reason`: for the log. */
  | { outcome: 'rejected'; rejection: VideoRejection | HeicRejection; reason?: string }
  /** The still could not be written. */
  | { outcome: 'diskFull' }

/** The first line that a worker writes; the second one is the result. */
export const readyLine = 'ready'

/** Limit of `reason`. */
export const maxReasonLength = 200

export const maxEdgePx = 65_535
export const maxSeconds = 100 * 3600
