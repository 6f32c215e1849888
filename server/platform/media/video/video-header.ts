import { type ReadAt, withReadAt } from '../read-at.ts'
import { locateMedia, TooManyBoxes } from './movie-boxes.ts'

export type VideoKind = 'mp4' | 'm4v' | 'mov' | 'webm' | 'avi'

/** `demuxer` is the only demuxer that ffmpeg may use, whatever the content looks like. */
export const videoKinds: Record<
  VideoKind,
  { extension: string; mimeType: string; demuxer: 'mov' | 'matroska' | 'avi' }
> = {
  mp4: { extension: '.mp4', mimeType: 'video/mp4', demuxer: 'mov' },
  m4v: { extension: '.m4v', mimeType: 'video/mp4', demuxer: 'mov' },
  mov: { extension: '.mov', mimeType: 'video/quicktime', demuxer: 'mov' },
  webm: { extension: '.webm', mimeType: 'video/webm', demuxer: 'matroska' },
  avi: { extension: '.avi', mimeType: 'video/x-msvideo', demuxer: 'avi' },
}

export type VideoHeader = {
  kind: VideoKind
  /** False when the video references other files, or when its header does not show whether it does. */
  isSelfContained: boolean
}

/** Returns null for anything that is not a supported container, playlists included. */
export function readVideoHeader(path: string, sizeBytes: number): Promise<VideoHeader | null> {
  return withReadAt(path, (read) => detectVideo(read, sizeBytes)).catch((error) => {
    if (error instanceof TooManyBoxes) return null
    throw error
  })
}

async function detectVideo(read: ReadAt, sizeBytes: number): Promise<VideoHeader | null> {
  const start = await read(0, Math.min(sizeBytes, startBytes))
  const kind = detectKind(start)
  if (kind === null) return null
  if (videoKinds[kind].demuxer !== 'mov') return { kind, isSelfContained: true }
  const mediaLocation = await locateMedia(read, sizeBytes)
  // Old QuickTime files have no type at their start: only the movie box shows what they are.
  if (mediaLocation === 'none' && !hasFileType(start)) return null
  return { kind, isSelfContained: mediaLocation === 'own' || mediaLocation === 'none' }
}

/** Brands and the header of a WebM are within these bytes. */
const startBytes = 4096

function detectKind(start: Buffer): VideoKind | null {
  const ascii = (from: number, to: number) => start.toString('latin1', from, to)
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'AVI ') return 'avi'
  if (ascii(0, 4) === '\x1aE\xdf\xa3') return readDocumentType(start) === 'webm' ? 'webm' : null
  if (hasFileType(start)) return detectKindFromBrands(start)
  return /^(moov|mdat|wide|free|skip|pnot)$/.test(ascii(4, 8)) ? 'mov' : null
}

const hasFileType = (start: Buffer): boolean => start.toString('latin1', 4, 8) === 'ftyp'

const mp4Brands =
  /^(iso[m2-9a-c]|mp4[12]|mp71|avc1|hvc1|hev1|av01|MSNV|NDS[A-Z]|XAVC|CAEP|dash|cmf[a-z0-9]|3g[2pgrs].|mmp4|f4v )$/
const m4vBrands = /^M4V[ HP]$/

/** Uses the first known brand. Returns null for pictures, sound and camera raw files. */
function detectKindFromBrands(start: Buffer): VideoKind | null {
  const end = Math.min(start.readUInt32BE(0), start.length)
  const brands = [start.toString('latin1', 8, 12)]
  for (let position = 16; position + 4 <= end; position += 4)
    brands.push(start.toString('latin1', position, position + 4))
  if (/^(avi[fs]|hei[cxms]|hev[cmx]|mif1|msf1|crx |jp[2xm] |mjp2|M4[AB] )$/.test(brands[0] ?? '')) return null
  for (const brand of brands) {
    if (brand === 'qt  ') return 'mov'
    if (m4vBrands.test(brand)) return 'm4v'
    if (mp4Brands.test(brand)) return 'mp4'
  }
  return null
}

const documentTypeId = 0x4282

function readDocumentType(start: Buffer): string | null {
  const header = readLength(start, 4)
  if (!header) return null
  for (let position = header.next; position + 2 <= Math.min(start.length, header.next + header.value); ) {
    const isTwoBytes = ((start[position] ?? 0) & 0xc0) === 0x40
    const id = isTwoBytes ? start.readUInt16BE(position) : start[position]
    const length = readLength(start, position + (isTwoBytes ? 2 : 1))
    if (!length) return null
    if (id === documentTypeId)
      return start.toString('latin1', length.next, length.next + length.value).replace(/\0+$/, '')
    position = length.next + length.value
  }
  return null
}

/** The number of leading zero bits in the first byte is the number of further bytes. */
function readLength(bytes: Buffer, position: number): { value: number; next: number } | null {
  const first = bytes[position] ?? 0
  const width = Math.clz32(first) - 23
  if (first === 0 || position + width > bytes.length) return null
  let value = first - 2 ** (8 - width)
  for (const byte of bytes.subarray(position + 1, position + width)) value = value * 256 + byte
  return { value, next: position + width }
}
