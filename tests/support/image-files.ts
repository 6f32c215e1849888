import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { temporaryFolder } from './temporary-folder.ts'

const background = { r: 200, g: 80, b: 40 }

/** A picture of one colour, to be given a format. */
export const plainPicture = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background } })

/** Two frames, to be given a format that moves. */
export async function movingPicture(width: number, height: number): Promise<Sharp> {
  const frames = [background, { r: 0, g: 0, b: 0 }].map((colour) =>
    sharp({ create: { width, height, channels: 3, background: colour } })
      .png()
      .toBuffer(),
  )
  return sharp(await Promise.all(frames), { join: { animated: true } })
}

/** Noise does not compress, so that the file is large and takes its time to decode. */
export const noisyPicture = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background, noise: { type: 'gaussian', mean: 128, sigma: 60 } } })

/** The path of a fresh file with these bytes; gone when the test ends. */
export async function imageFile(bytes: Uint8Array | string): Promise<string> {
  const path = join(await temporaryFolder(), 'image')
  await writeFile(path, bytes)
  return path
}

/** A JPEG whose frame header stands behind a lot of metadata, as large colour profiles and previews make it. */
export function withLargeSegments(jpeg: Buffer, count: number): Buffer {
  const segment = Buffer.alloc(65_537, 0xff)
  segment.writeUInt16BE(0xffe2, 0)
  segment.writeUInt16BE(65_535, 2)
  return Buffer.concat([jpeg.subarray(0, 2), ...Array.from({ length: count }, () => segment), jpeg.subarray(2)])
}
