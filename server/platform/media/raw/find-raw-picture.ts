import { maxPixels } from '../image-tasks.ts'
import { type Piece, ReadLimitExceeded } from '../location/edited-file.ts'
import { readSegments } from '../location/jpeg-location.ts'
import type { ReadAt } from '../read-at.ts'
import type { EmbeddedPicture, PictureSize } from './cr3-boxes.ts'
import type { RawKind } from './detect-raw-kind.ts'
import { listPictures } from './list-pictures.ts'
import { limitReads, type RawSource } from './raw-source.ts'

/**
 * Width and height are those of the pixels; decoded HEVC may be larger, at the right and at the bottom. `orientation`: EXIF
 * value of the raw file, 1 to 8, or null.
 */
export type RawPicture = Piece & PictureSize & { orientation: number | null } & PictureFormat
type PictureFormat = { format: 'jpeg' } | { format: 'hevc'; extradata: Piece }

/**
 * Returns the embedded picture with the most pixels, or null if there is none. It lies within the file, and its header was
 * checked. HEVC data has a length of four bytes before each unit; `extradata` is the decoder configuration, the content of
 * `hvcC`. Reads at most 1 MiB in 256 reads. Throws only the errors of `read`.
 */
export async function findRawPicture(read: ReadAt, sizeBytes: number, kind: RawKind): Promise<RawPicture | null> {
  const source = limitReads(read, sizeBytes)
  const { pictures, orientation } = await listPictures(source, kind)
  let largest: RawPicture | null = null
  for (const picture of pictures) {
    const { at, length, hevc } = picture
    const size = await measure(source, picture)
    if (!size || (largest && !isLarger({ ...size, length }, largest))) continue
    const { width, height } = size
    const format: PictureFormat = hevc ? { format: 'hevc', extradata: hevc.extradata } : { format: 'jpeg' }
    largest = { at, length, width, height, orientation, ...format }
  }
  return largest
}

/** If two pictures have the same size, the one with more data is better. */
function isLarger(one: PictureSize & { length: number }, other: PictureSize & { length: number }): boolean {
  const morePixels = one.width * one.height - other.width * other.height
  return morePixels > 0 || (morePixels === 0 && one.length > other.length)
}

/** A JPEG has at least one bit for each block of 64 pixels. */
const maxPixelsPerByte = 512

/** Returns null for data that is not a picture that can be decoded. */
async function measure(source: RawSource, picture: EmbeddedPicture): Promise<PictureSize | null> {
  const { length, hevc } = picture
  if (!isWithin(source, picture)) return null
  const size = hevc ? await measureHevc(source, picture, hevc) : await measureJpeg(source, picture)
  const pixels = size ? size.width * size.height : 0
  const isPlausible = pixels > 0 && pixels <= maxPixels && (hevc || pixels <= length * maxPixelsPerByte)
  return isPlausible ? size : null
}

const isWithin = (source: RawSource, { at, length }: Piece): boolean => length > 0 && at + length <= source.sizeBytes

const minExtradataBytes = 23

async function measureHevc(
  source: RawSource,
  { at, length }: Piece,
  { width, height, extradata }: NonNullable<EmbeddedPicture['hevc']>,
): Promise<PictureSize | null> {
  const head = await source.read(at, 4)
  const unitBytes = head.length < 4 ? 0 : head.readUInt32BE(0)
  const isData = unitBytes > 0 && unitBytes + 4 <= length
  const isConfigured = extradata.length >= minExtradataBytes && isWithin(source, extradata)
  return isData && isConfigured ? { width, height } : null
}

/** In the range of frames, these begin tables and extensions. */
const otherMarkers = [0xc4, 0xc8, 0xcc]

async function measureJpeg(source: RawSource, { at, length }: Piece): Promise<PictureSize | null> {
  const start = await source.read(at, 2)
  if (start.toString('hex') !== 'ffd8') return null
  try {
    for await (const { marker, payload } of readSegments(source, at + 2)) {
      const isFrame = marker >= 0xc0 && marker <= 0xcf && !otherMarkers.includes(marker)
      // Baseline, extended and progressive. Others are not decoded, such as the lossless JPEG of sensors.
      const isDecoded = marker <= 0xc2 && payload.at + payload.length <= at + length
      if (isFrame) return isDecoded ? parseFrame(await source.read(payload.at, 6)) : null
    }
  } catch (error) {
    if (!(error instanceof ReadLimitExceeded)) throw error
  }
  return null
}

function parseFrame(frame: Buffer): PictureSize | null {
  const [bits, , , , , components] = frame
  if (frame.length < 6 || bits !== 8 || (components !== 1 && components !== 3)) return null
  return { width: frame.readUInt16BE(3), height: frame.readUInt16BE(1) }
}
