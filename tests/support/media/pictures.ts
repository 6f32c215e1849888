import { crc32 } from 'node:zlib'
import sharp from 'sharp'

type PictureOptions = { width?: number; height?: number; seed?: number; takenAt?: string }

/** Returns a picture of one color. Two different seeds below 256 give different bytes. `takenAt` is as in EXIF data. */
export async function jpeg({
  width = 60,
  height = 40,
  seed = 1,
  takenAt,
}: PictureOptions = {}): Promise<Buffer<ArrayBuffer>> {
  const background = { r: (seed * 53) % 256, g: (seed * 97) % 256, b: (seed * 193) % 256 }
  const picture = sharp({ create: { width, height, channels: 3, background } })
  const taken = takenAt ? picture.withExif({ IFD2: { DateTimeOriginal: takenAt } }) : picture
  return Buffer.from(await taken.jpeg().toBuffer())
}

/** Returns a JPEG of exactly this size. Decoders ignore the bytes after its end marker. */
export async function jpegOfSize(sizeBytes: number, shape: PictureOptions = {}): Promise<Buffer<ArrayBuffer>> {
  const start = await jpeg(shape)
  return Buffer.concat([start, Buffer.alloc(sizeBytes - start.length, 7)])
}

type Format = 'png' | 'webp' | 'gif' | 'tiff' | 'avif'

export async function picture(
  format: Format,
  { width = 60, height = 40 }: PictureOptions = {},
): Promise<Buffer<ArrayBuffer>> {
  const bytes = await sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .toFormat(format)
    .toBuffer()
  return Buffer.from(bytes)
}

export async function animatedGif(frames = 3): Promise<Buffer<ArrayBuffer>> {
  const raw = Buffer.alloc(20 * 20 * frames * 3, 0).map((_, index) => (index * 31) % 256)
  const bytes = await sharp(raw, { raw: { width: 20, height: 20 * frames, channels: 3, pageHeight: 20 } })
    .gif({ delay: Array(frames).fill(100) })
    .toBuffer()
  return Buffer.from(bytes)
}

/** Returns a PNG whose header declares this size, although its data has 60 × 40 pixels. */
export async function declaredPng(width: number, height: number): Promise<Buffer<ArrayBuffer>> {
  const png = await picture('png')
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  return png
}

/** Returns a JPEG with an XMP packet, as programs embed it. */
export async function jpegWithXmp(packet: string, { seed = 1 }: PictureOptions = {}): Promise<Buffer<ArrayBuffer>> {
  return Buffer.from(
    await sharp(await jpeg({ seed }))
      .withXmp(packet)
      .toBuffer(),
  )
}
