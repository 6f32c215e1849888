import type { ExifTags } from './exif-tags.ts'

const ascii = 2
const short = 3
const long = 4
const rational = 5

type Entry = { tag: number; type: number; count: number; value: Buffer }

/**
 * Returns a TIFF block with these tags and the orientation, as the EXIF segment of a JPEG has it. Tags of another type than
 * `readTags` gives are left out.
 */
export function createExif(tags: ExifTags, orientation: number): Buffer {
  const main = [
    ...text(0x010f, tags.Make),
    ...text(0x0110, tags.Model),
    { tag: 0x0112, type: short, count: 1, value: number16(orientation) },
    ...text(0x013b, tags.Artist),
    ...text(0x8298, tags.Copyright),
  ]
  const exif = [
    ...fraction(0x829a, tags.ExposureTime),
    ...fraction(0x829d, tags.FNumber),
    ...whole(0x8827, tags.ISO),
    ...text(0x9003, tags.DateTimeOriginal ?? tags.CreateDate),
    ...text(0x9011, tags.OffsetTimeOriginal),
    ...fraction(0x920a, tags.FocalLength),
    ...text(0xa434, tags.LensModel),
  ]
  const header = Buffer.from('4d4d002a00000008', 'hex')
  const pointer = (at: number): Entry => ({ tag: 0x8769, type: long, count: 1, value: number32(at) })
  const mainBytes = writeDirectory([...main, pointer(0)], header.length).length
  const exifAt = header.length + mainBytes
  return Buffer.concat([
    header,
    writeDirectory([...main, pointer(exifAt)], header.length),
    writeDirectory(exif, exifAt),
  ])
}

function number16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function text(tag: number, value: unknown): Entry[] {
  if (typeof value !== 'string') return []
  const bytes = Buffer.from(`${value}\0`)
  return [{ tag, type: ascii, count: bytes.length, value: bytes }]
}

const maxShort = 0xffff

const whole = (tag: number, value: unknown): Entry[] =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= maxShort
    ? [{ tag, type: short, count: 1, value: number16(value as number) }]
    : []

/** Exposure times are written as one part of a second, as cameras do. */
function fraction(tag: number, value: unknown): Entry[] {
  if (typeof value !== 'number' || !(value > 0 && value < 1e5)) return []
  const parts = Math.round(1 / value)
  const isPart = value < 1 && Math.abs(1 / parts - value) < value / 1000
  const [over, under] = isPart ? [1, parts] : [Math.round(value * 1000), 1000]
  return [{ tag, type: rational, count: 1, value: Buffer.concat([number32(over), number32(under)]) }]
}

/** `at`: where the directory begins in the block. Values of more than four bytes follow it. */
function writeDirectory(entries: readonly Entry[], at: number): Buffer {
  const values: Buffer[] = []
  let valueAt = at + 2 + entries.length * 12 + 4
  const rows = entries.map(({ tag, type, count, value }) => {
    const head = Buffer.concat([number16(tag), number16(type), number32(count)])
    if (value.length <= 4) return Buffer.concat([head, value, Buffer.alloc(4 - value.length)])
    const padded = Buffer.concat([value, Buffer.alloc(value.length % 2)])
    const row = Buffer.concat([head, number32(valueAt)])
    values.push(padded)
    valueAt += padded.length
    return row
  })
  return Buffer.concat([number16(entries.length), ...rows, number32(0), ...values])
}
