import type { Sampling } from '../decoder/decode-frames.ts'
import type { ColorCoding } from '../decoder/draw-planes.ts'
import type { PixelSize } from '../image-tasks.ts'
import type { Piece } from '../location/edited-file.ts'

/** `size`: too large to be decoded, but not necessarily damaged. `unsupported`: valid, but nothing here decodes it. */
export type HeicRejection = 'damage' | 'size' | 'unsupported'

/** The file is the cause. The message is for the log. */
export class RejectedHeic extends Error {
  readonly rejection: HeicRejection

  constructor(rejection: HeicRejection, message: string) {
    super(message)
    this.rejection = rejection
  }
}

export type HeicPicture = {
  /** As displayed: upright, in pixels. */
  width: number
  height: number
  orientation: Orientation
  tiles: Tile[]
  /** The ICC profile of the colors; null for sRGB. */
  profile: Buffer | null
}

/** Where the pixels of a picture are after its transformations. */
export type Orientation = PixelSize & {
  /** The part of the picture before the transformations that is seen. */
  seen: Rectangle
  /** The place of the first pixel that is seen, and the steps to the next one across and down, in pixels. */
  start: number
  across: number
  down: number
}

export type Rectangle = PixelSize & { left: number; top: number }
/** A part of the decoded picture, which the last ones of a row and of a column may exceed. */
export type Tile = PixelSize & { left: number; top: number; pieces: Piece[]; stream: HevcStream; coding: ColorCoding }

/** Tiles of the same configuration have the same object. */
export type HevcStream = PixelSize & {
  /** The content of the box `hvcC`. */
  config: Buffer
  sampling: Sampling
  /** The number of bits of a sample. */
  bits: number
  colors: CodedColors | null
}

/** Numbers of ISO/IEC 23091-2; 2 is unspecified. */
export type CodedColors = { primaries: number; transfer: number; matrix: number; isFullRange: boolean }
