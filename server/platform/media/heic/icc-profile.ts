import type { CodedColors } from './heic-picture.ts'

/** Red, green and blue relative to the white of profiles (D50), by the number of the primaries: BT.2020, Display P3. */
const colorants: Record<number, readonly number[][]> = {
  9: [
    [0.67348, 0.27904, -0.00193],
    [0.16567, 0.67534, 0.02998],
    [0.12505, 0.04561, 0.79685],
  ],
  12: [
    [0.51512, 0.24119, -0.00105],
    [0.29198, 0.69224, 0.04188],
    [0.1571, 0.06657, 0.78407],
  ],
}
const whiteD50 = [0.9642, 1, 0.8249]

const perceptualQuantizer = 16
/** More than 8 bits can tell apart. */
const curvePoints = 1024

/**
 * Returns an ICC profile (ICC.1:2022, version 4) for colors that phones and cameras code without one; null where sRGB fits.
 * sharp has a profile for Display P3, but only converts to it.
 */
export function createProfile({ primaries, transfer }: CodedColors): Buffer | null {
  const [red, green, blue] = colorants[primaries] ?? []
  if (!red || !green || !blue) return null
  const text = encodeText('Colors of this photo')
  const curve = encodeCurve(transfer === perceptualQuantizer ? decodeQuantized : decodeGamma)
  const tags: [name: string, content: Buffer][] = [
    ['desc', text],
    ['cprt', text],
    ['wtpt', encodePoint(whiteD50)],
    ...[red, green, blue].map((color, index): [string, Buffer] => [`${'rgb'[index]}XYZ`, encodePoint(color)]),
    ...['rTRC', 'gTRC', 'bTRC'].map((name): [string, Buffer] => [name, curve]),
  ]
  const contents = [...new Set(tags.map(([, content]) => content))]
  const start = headerBytes + 4 + tags.length * 12
  const placeOf = (content: Buffer) => start + Buffer.concat(contents.slice(0, contents.indexOf(content))).length
  const table = tags.flatMap(([name, content]) => [Buffer.from(name), uint32(placeOf(content), content.length)])
  const header = Buffer.alloc(headerBytes)
  header.writeUInt32BE(start + Buffer.concat(contents).length, 0)
  header.writeUInt32BE(0x0440_0000, 8)
  header.write('mntrRGB XYZ ', 12, 'latin1')
  header.write('acsp', 36, 'latin1')
  fixedPoint(whiteD50).copy(header, 68)
  return Buffer.concat([header, uint32(tags.length), ...table, ...contents])
}

const headerBytes = 128

/** The curve of sRGB. Displays show signals for video and hybrid log-gamma with nearly the same. */
const decodeGamma = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

/** Candela per square meter: diffuse white (ITU-R BT.2408), and the brightest light that is not cut. */
const [whiteLight, maxLight] = [203, 1000]

/** The curve of SMPTE ST 2084. Its bright parts are compressed by the extended formula of Reinhard. */
function decodeQuantized(value: number): number {
  const root = value ** (1 / 78.84375)
  const light = (Math.max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)) ** (1 / 0.1593017578125)
  const relative = Math.min(light * 10_000, maxLight) / whiteLight
  return (relative * (1 + relative / (maxLight / whiteLight) ** 2)) / (1 + relative)
}

function uint32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4)
  return bytes
}

const fixedPoint = (numbers: readonly number[]): Buffer => uint32(...numbers.map((one) => Math.round(one * 65_536)))

const encodePoint = (numbers: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from('XYZ \0\0\0\0'), fixedPoint(numbers)])

function encodeCurve(decode: (value: number) => number): Buffer {
  const values = Buffer.alloc(curvePoints * 2)
  for (let point = 0; point < curvePoints; point++) {
    values.writeUInt16BE(Math.round(decode(point / (curvePoints - 1)) * 65_535), point * 2)
  }
  return Buffer.concat([Buffer.from('curv\0\0\0\0'), uint32(curvePoints), values])
}

/** One record of 12 bytes, for English; the text follows after 28 bytes. */
function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf16le').swap16()
  const head = [Buffer.from('mluc\0\0\0\0'), uint32(1, 12), Buffer.from('enUS'), uint32(bytes.length, 28)]
  return Buffer.concat([...head, bytes])
}
