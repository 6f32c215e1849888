/** The number of bytes at the start of a file that `readCaptureTime` needs. */
export const captureTimeBytes = 128 * 1024

/**
 * Returns epoch milliseconds for the text of an EXIF tag, or null. It is the time on the clock of the camera, read as UTC.
 * Phones also write its offset, which most cameras do not have: with it, the photos of one event would be out of order.
 */
export function parseCaptureTime(written: unknown): number | null {
  if (typeof written !== 'string') return null
  const [, date, time] = /^(\d{4}[:-]\d{2}[:-]\d{2})[ T](\d{2}:\d{2}:\d{2})/.exec(written) ?? []
  if (!date || !time) return null
  const epochMs = Date.parse(`${date.replaceAll(':', '-')}T${time}Z`)
  return Number.isNaN(epochMs) ? null : epochMs
}

/**
 * Returns when a photo was taken, in epoch milliseconds, from the first bytes of a JPEG or of a file with the structure of
 * TIFF, such as most raw files. Null for other files, and if these bytes do not contain the time.
 */
export function readCaptureTime(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  try {
    const start = findTiff(view)
    return start === null ? null : readTiffTime(view, start)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Throws RangeError, as `readTiffTime` does, if something is not in these bytes. */
function findTiff(view: DataView): number | null {
  const first = view.getUint16(0)
  if (first === 0x4949 || first === 0x4d4d) return 0
  if (first !== 0xffd8) return null
  // The segments of a JPEG. The pixels follow 0xffda.
  for (let at = 2; view.getUint8(at) === 0xff && view.getUint16(at) !== 0xffda; at += 2 + view.getUint16(at + 2)) {
    const isExif = view.getUint16(at) === 0xffe1 && view.getUint32(at + 4) === 0x45786966
    if (isExif) return at + 10
  }
  return null
}

function readTiffTime(view: DataView, start: number): number | null {
  const isLittle = view.getUint16(start) === 0x4949
  const uint32 = (at: number) => view.getUint32(at, isLittle)
  const findEntry = (directory: number, tag: number): number | null => {
    const count = view.getUint16(directory, isLittle)
    for (let at = directory + 2; at < directory + 2 + 12 * count; at += 12) {
      if (view.getUint16(at, isLittle) === tag) return at
    }
    return null
  }
  const readText = (directory: number, tag: number): string => {
    const entry = findEntry(directory, tag)
    if (entry === null) return ''
    const length = Math.min(uint32(entry + 4), 32)
    const at = length > 4 ? start + uint32(entry + 8) : entry + 8
    const codes = Array.from({ length }, (_, index) => view.getUint8(at + index))
    return String.fromCharCode(...codes)
      .replace(/\0+$/, '')
      .trim()
  }
  const entry = findEntry(start + uint32(start + 4), 0x8769)
  if (entry === null) return null
  const exif = start + uint32(entry + 8)
  return parseCaptureTime(readText(exif, 0x9003) || readText(exif, 0x9004))
}

const quarterMs = 15 * 60_000
const maxOffsetMs = 14 * 60 * 60_000

/**
 * Whether two times in epoch milliseconds are equal, or differ only by a time zone: programs remove the offset of a
 * time, or correct it. An unknown time equals no time.
 */
export function isSameTime(a: number | null, b: number | null): boolean {
  if (a === null || b === null) return false
  return (a - b) % quarterMs === 0 && Math.abs(a - b) <= maxOffsetMs
}
