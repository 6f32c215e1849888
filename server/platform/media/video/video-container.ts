import type { Sharp } from 'sharp'
import { maxEdgePx, type VideoFacts, type VideoRejection } from './video-result.ts'

/** The video is the cause. */
export class RejectedVideo extends Error {
  readonly rejection: VideoRejection

  constructor(rejection: VideoRejection) {
    super(rejection)
    this.rejection = rejection
  }
}

/** No decoder here knows the format of the pictures. */
export class UnknownCodec extends Error {}

/** An opened video file that has at least one picture. */
export type VideoContainer = {
  facts: VideoFacts
  /** Returns the frame at 1 second, or the last frame before, upright. Throws UnknownCodec or any error of a decoder. */
  decodeFrame: () => Promise<Sharp>
}

export const frameSeconds = 1

/** Limit of both edges of a still, in pixels. */
export const maxStillEdge = 3840

/** Larger frames are not decoded; 8K has 33 million pixels. */
export const maxPixels = 2 ** 26

/** Throws RejectedVideo for a frame without pixels, or with too many to be decoded. */
export function checkFrameSize(width: number, height: number): void {
  if (!(width >= 1 && height >= 1)) throw new RejectedVideo('damaged')
  if (width * height > maxPixels || Math.max(width, height) > maxEdgePx) throw new RejectedVideo('costly')
}
