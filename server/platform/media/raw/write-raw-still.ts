import { stat, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { createExifSegment } from '../jpeg-segments.ts'
import { readSegments } from '../location/jpeg-location.ts'
import { withReadAt } from '../read-at.ts'
import { readExif } from '../read-exif.ts'
import { createExif } from '../write-exif.ts'
import type { RawKind } from './detect-raw-kind.ts'
import { findRawPicture, type RawPicture } from './find-raw-picture.ts'

/** Larger than the pictures of any camera. */
const maxStillBytes = 2 ** 26

/**
 * Writes the largest embedded picture of a raw file as a JPEG whose EXIF has orientation, time and camera of the raw file,
 * and no location. Writes a neutral picture and returns null if there is none, or 'hevc' if the isolated worker has to decode
 * it.
 */
export async function writeRawStill(
  rawPath: string,
  kind: RawKind,
  stillPath: string,
): Promise<RawPicture['format'] | null> {
  const { size } = await stat(rawPath)
  const { jpeg, format } = await withReadAt(rawPath, async (read) => {
    const picture = await findRawPicture(read, size, kind)
    if (!picture || picture.length > maxStillBytes) return { jpeg: null, format: null }
    const { format } = picture
    if (format === 'hevc') return { jpeg: null, format }
    const bytes = await read(picture.at, picture.length)
    const exif = createExif(await readExif(rawPath), picture.orientation ?? 1)
    return { jpeg: await replaceMetadata(bytes, exif), format }
  })
  if (jpeg) await writeFile(stillPath, jpeg)
  else await writeNeutralStill(stillPath)
  return format
}

const gray = { r: 112, g: 112, b: 112 }

export async function writeNeutralStill(stillPath: string): Promise<void> {
  await sharp({ create: { width: 720, height: 480, channels: 3, background: gray } })
    .jpeg()
    .toFile(stillPath)
}

/** The segments that describe the picture for a program: EXIF and XMP, and those of Photoshop. */
const metadataMarkers = [0xe1, 0xed]

/** Returns the JPEG with this EXIF block in place of its metadata. Its pixels and color profile stay as they are. */
async function replaceMetadata(jpeg: Buffer, exif: Buffer): Promise<Buffer> {
  const parts = [jpeg.subarray(0, 2), createExifSegment(exif)]
  const source = { read: async (at: number, length: number) => jpeg.subarray(at, at + length) }
  let kept = 2
  for await (const { marker, payload } of readSegments(source, 2)) {
    if (!metadataMarkers.includes(marker)) continue
    parts.push(jpeg.subarray(kept, payload.at - 4))
    kept = payload.at + payload.length
  }
  return Buffer.concat([...parts, jpeg.subarray(kept)])
}
