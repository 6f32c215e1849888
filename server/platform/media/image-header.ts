import { stat } from 'node:fs/promises'
import { type ImageKind, imageKinds } from './image-kinds.ts'
import { detectRawKind, type RawKind } from './raw/detect-raw-kind.ts'
import { type ReadAt, withReadAt } from './read-at.ts'

/** What the header of a file declares. Width and height are null where they are not read from the header. */
export type ImageHeader = {
  kind: ImageKind
  width: number | null
  height: number | null
  /** Whether the decoder holds the whole picture in memory, as for progressive, interlaced and animated pictures. */
  isFullyBuffered: boolean
}

const streamedOverheadBytes = 32 * 2 ** 20

/** Returns Infinity for a fully buffered picture of unknown size. */
export function estimateDecodingBytes(header: ImageHeader): number {
  if (!header.isFullyBuffered) return streamedOverheadBytes
  if (header.width === null || header.height === null) return Number.POSITIVE_INFINITY
  return streamedOverheadBytes + header.width * header.height * imageKinds[header.kind].bytesPerPixel
}

/** Returns null for anything that is not a supported image. */
export const readImageHeader = (path: string): Promise<ImageHeader | null> =>
  withReadAt(path, async (read) => {
    const start = await read(0, 64)
    const kind = detectKind(start)
    // Many raw files begin like a TIFF.
    const raw = kind === null || kind === 'tiff' ? await detectRawKind(read, (await stat(path)).size) : null
    if (raw) return { kind: raw, ...unknownSize }
    if (kind === null) return null
    if (kind === 'jpeg') return { kind, ...(await readJpegHeader(read)) }
    return { kind, ...headerReaders[kind](start) }
  })

type PlainKind = Exclude<ImageKind, RawKind>

/** Returns null for anything that is not a supported image, and for most raw files. `start` has the first 64 bytes. */
export function detectKind(start: Buffer): PlainKind | null {
  const ascii = (from: number, to: number) => start.toString('latin1', from, to)
  if (ascii(0, 3) === '\xff\xd8\xff') return 'jpeg'
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'webp'
  if (ascii(0, 6) === 'GIF87a' || ascii(0, 6) === 'GIF89a') return 'gif'
  if (ascii(0, 4) === 'II*\0' || ascii(0, 4) === 'MM\0*') return 'tiff'
  if (ascii(4, 8) === 'ftyp') {
    const brands = ascii(8, 64)
    if (/avif|avis/.test(brands)) return 'avif'
    if (/hei[cxms]|hev[cx]|mif1/.test(brands)) return 'heic'
  }
  return null
}

type HeaderWithoutKind = Omit<ImageHeader, 'kind'>

const unknownSize: HeaderWithoutKind = { width: null, height: null, isFullyBuffered: true }

const headerReaders: Record<Exclude<PlainKind, 'jpeg'>, (start: Buffer) => HeaderWithoutKind> = {
  png: (start) =>
    start.length < 29 || start.toString('latin1', 12, 16) !== 'IHDR'
      ? unknownSize
      : { width: start.readUInt32BE(16), height: start.readUInt32BE(20), isFullyBuffered: start[28] !== 0 },
  webp: readWebpHeader,
  gif: (start) =>
    start.length < 10
      ? unknownSize
      : { width: start.readUInt16LE(6), height: start.readUInt16LE(8), isFullyBuffered: true },
  // Their sizes are deep inside the file; the image worker reads and checks them before it decodes.
  tiff: () => unknownSize,
  avif: () => unknownSize,
  heic: () => unknownSize,
}

function readWebpHeader(start: Buffer): HeaderWithoutKind {
  const form = start.toString('latin1', 12, 16)
  if (start.length < 30) return unknownSize
  if (form === 'VP8 ') {
    return { width: start.readUInt16LE(26) & 0x3fff, height: start.readUInt16LE(28) & 0x3fff, isFullyBuffered: false }
  }
  if (form === 'VP8L') {
    const bits = start.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, isFullyBuffered: true }
  }
  return { width: start.readUIntLE(24, 3) + 1, height: start.readUIntLE(27, 3) + 1, isFullyBuffered: true }
}

async function readJpegHeader(read: ReadAt): Promise<HeaderWithoutKind> {
  let position = 2
  for (let segments = 0; segments < 1000; segments++) {
    const head = await read(position, 9)
    if (head.length < 4 || head[0] !== 0xff) return unknownSize
    const marker = head[1] ?? 0
    if (marker === 0xff) {
      position += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame && head.length === 9) {
      const isBaseline = marker === 0xc0 || marker === 0xc1
      return { width: head.readUInt16BE(7), height: head.readUInt16BE(5), isFullyBuffered: !isBaseline }
    }
    position += 2 + head.readUInt16BE(2)
  }
  return unknownSize
}
