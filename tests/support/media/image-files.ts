import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { temporaryFolder } from '../run/temporary-folder.ts'

const background = { r: 200, g: 80, b: 40 }

/** Returns a picture of one color. The calling function chooses the file format. */
export const plainPicture = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background } })

/** Returns a picture of two frames. The calling function chooses the file format. */
export async function animatedPicture(width: number, height: number): Promise<Sharp> {
  const frames = [background, { r: 0, g: 0, b: 0 }].map((color) =>
    sharp({ create: { width, height, channels: 3, background: color } })
      .png()
      .toBuffer(),
  )
  return sharp(await Promise.all(frames), { join: { animated: true } })
}

/** Returns a picture of noise. Noise does not compress, so the file is large and slow to decode. */
export const noisyPicture = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background, noise: { type: 'gaussian', mean: 128, sigma: 60 } } })

/** Metadata as cameras write it, with a location: latitude 51.5°. */
export const exifWithLocation = {
  IFD0: { Make: 'Camera', Artist: 'Ana' },
  IFD2: { BodySerialNumber: '12345' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1', GPSLongitudeRef: 'W', GPSLongitude: '0/1 7/1 0/1' },
}

/** Writes a file that is removed when the test ends. Returns its path. */
export async function createImageFile(bytes: Uint8Array | string): Promise<string> {
  const path = join(await temporaryFolder(), 'image')
  await writeFile(path, bytes)
  return path
}

/** Returns the JPEG with `count` segments of about 64 KiB before its frame header, as large color profiles need. */
export function withLargeSegments(jpeg: Buffer, count: number): Buffer {
  const segment = Buffer.alloc(65_537, 0xff)
  segment.writeUInt16BE(0xffe2, 0)
  segment.writeUInt16BE(65_535, 2)
  return Buffer.concat([jpeg.subarray(0, 2), ...Array.from({ length: count }, () => segment), jpeg.subarray(2)])
}

/** Returns a gray baseline JPEG with a scan for each color, which the decoder cannot read line by line. */
export function jpegOfSeveralScans(width: number, height: number): Buffer {
  const segment = (marker: number, content: number[]) =>
    Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 0xff, ...content])
  // A table with a single code of one bit: the bit 0 ends each block.
  const huffmanTable = (kind: number) => segment(0xc4, [kind, 1, ...Array.from({ length: 15 }, () => 0), 0])
  const blocks = Buffer.alloc(Math.ceil((Math.ceil(width / 8) * Math.ceil(height / 8) * 2) / 8))
  const components = [1, 2, 3]
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]),
    huffmanTable(0x00),
    huffmanTable(0x10),
    segment(0xc0, [
      8,
      height >> 8,
      height & 0xff,
      width >> 8,
      width & 0xff,
      3,
      ...components.flatMap((id) => [id, 0x11, 0]),
    ]),
    ...components.flatMap((id) => [segment(0xda, [1, id, 0, 0, 63, 0]), blocks]),
    Buffer.from([0xff, 0xd9]),
  ])
}

const colors = { R: '#ff0000', G: '#00ff00', B: '#0000ff', W: '#ffffff' }
type Color = keyof typeof colors

/** `quarters` has one letter for the color of each part: top left, top right, bottom left, bottom right. */
export async function createQuarteredPicture(width: number, height: number, quarters: string): Promise<Sharp> {
  const quarter = { width: width / 2, height: height / 2, channels: 3 as const }
  const parts = [...quarters].map((color, index) => ({
    input: { create: { ...quarter, background: colors[color as Color] } },
    left: (index % 2) * quarter.width,
    top: Math.floor(index / 2) * quarter.height,
  }))
  return sharp({ create: { width, height, channels: 3, background: '#000' } }).composite(parts)
}

export async function readQuarters(picture: Buffer): Promise<string> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const seen = [0.25, 0.75].flatMap((y) =>
    [0.25, 0.75].map((x) => {
      const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3
      return [...data.subarray(at, at + 3)].map((value) => (value > 128 ? 1 : 0)).join('')
    }),
  )
  return seen.map((bits) => ({ '100': 'R', '010': 'G', '001': 'B', '111': 'W' })[bits] ?? '?').join('')
}
