import sharp, { type Sharp } from 'sharp'
import { type Chunk, decodeFrames, type Planes } from '../decoder/decode-frames.ts'
import { drawPlanes } from '../decoder/draw-planes.ts'
import { createExifSegment, createProfileSegments } from '../jpeg-segments.ts'
import type { ReadAt } from '../read-at.ts'
import { type HeicPicture, type HevcStream, type Orientation, RejectedHeic, type Tile } from './heic-picture.ts'
import { readHeic } from './read-heic.ts'

export type DecodedHeic = {
  /** Red, green and blue with 8 bits each, upright. */
  picture: Sharp
  width: number
  height: number
  /** The ICC profile of these colors, which `picture` does not have; null for sRGB. */
  profile: Buffer | null
}

/**
 * Decodes the primary picture. The process needs the memory of the picture with three bytes for each pixel, and of a few
 * tiles. Throws RejectedHeic, DecoderMissing and errors of the decoder.
 */
export const decodeHeic = async (read: ReadAt, sizeBytes: number): Promise<DecodedHeic> =>
  decodePicture(await readHeic(read, sizeBytes), read)

/** Like `decodeHeic`, for a picture whose tables were read. */
export async function decodePicture(heic: HeicPicture, read: ReadAt): Promise<DecodedHeic> {
  const { width, height, profile } = heic
  const pixels = Buffer.alloc(width * height * 3)
  await drawTiles(heic, read, pixels)
  return { picture: sharp(pixels, { raw: { width, height, channels: 3 } }), width, height, profile }
}

async function drawTiles({ tiles, orientation }: HeicPicture, read: ReadAt, pixels: Buffer): Promise<void> {
  /** Returns whether all tiles were decoded. */
  async function drawAll({ config, ...stream }: HevcStream, group: readonly Tile[]): Promise<boolean> {
    let count = 0
    for await (const frame of decodeFrames({ ...stream, codec: 'hevc', extradata: config }, readChunks(group, read))) {
      const tile = group[count++]
      try {
        if (tile) drawTile(frame.read(), tile, orientation, pixels)
      } finally {
        frame.close()
      }
    }
    return count === group.length
  }

  for (const [stream, group] of Map.groupBy(tiles, (tile) => tile.stream)) {
    if (await drawAll(stream, group)) continue
    // Pictures that do not restart a decoder need one each.
    for (const tile of group) {
      if (!(await drawAll(stream, [tile]))) throw new RejectedHeic('damage', 'A tile has several pictures')
    }
  }
}

async function* readChunks(tiles: readonly Tile[], read: ReadAt): AsyncGenerator<Chunk, void> {
  for (const { pieces } of tiles) {
    const parts: Buffer[] = []
    for (const { at, length } of pieces) parts.push(await read(at, length))
    yield { data: Buffer.concat(parts), isKey: true }
  }
}

function drawTile(planes: Planes, tile: Tile, { seen, ...to }: Orientation, pixels: Buffer): void {
  if (planes.width < tile.width || planes.height < tile.height || planes.sampling !== tile.stream.sampling) {
    throw new RejectedHeic('damage', 'A decoded tile differs from its configuration')
  }
  const [left, top] = [Math.max(tile.left, seen.left), Math.max(tile.top, seen.top)]
  drawPlanes(planes, tile.coding, {
    pixels,
    start: 3 * (to.start + (left - seen.left) * to.across + (top - seen.top) * to.down),
    across: 3 * to.across,
    down: 3 * to.down,
    left: left - tile.left,
    top: top - tile.top,
    width: Math.min(tile.left + tile.width, seen.left + seen.width) - left,
    height: Math.min(tile.top + tile.height, seen.top + seen.height) - top,
  })
}

/** Returns a JPEG of full size with the color profile and this EXIF block. */
export async function encodeHeicJpeg({ picture, profile }: DecodedHeic, exif: Buffer): Promise<Buffer> {
  // Optimized codes would take 6 bytes of memory for each pixel, and make the file a tenth smaller.
  const jpeg = await picture.jpeg({ quality: 92, optimizeCoding: false }).toBuffer()
  // The first segment is that of JFIF.
  const start = 4 + jpeg.readUInt16BE(4)
  const profiles = profile ? createProfileSegments(profile) : []
  return Buffer.concat([jpeg.subarray(0, start), createExifSegment(exif), ...profiles, jpeg.subarray(start)])
}
