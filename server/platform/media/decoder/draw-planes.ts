import { measureColors, type Planes } from './decode-frames.ts'

/** How samples become colors. */
export type ColorCoding = { matrix: Matrix; isFullRange: boolean }

export type Matrix = 'bt601' | 'bt709' | 'bt2020' | 'identity'

/** Where a frame is drawn: the place of its first pixel in `pixels`, and the steps to the next one across and down, in bytes. */
export type Placement = {
  /** Three bytes for each pixel. */
  pixels: Uint8Array
  start: number
  across: number
  down: number
  /** The part of the frame that is drawn; without `left` and `top`, from its first pixel on. */
  left?: number
  top?: number
  width: number
  height: number
}

/** The weights of red and blue in the brightness. */
const weights = {
  bt601: [0.299, 0.114],
  bt709: [0.2126, 0.0722],
  bt2020: [0.2627, 0.0593],
} as const

/** Fixed-point numbers have this many fractional bits. */
const precision = 14

/** Draws a part of a frame as red, green and blue with 8 bits each. */
export function drawPlanes(planes: Planes, coding: ColorCoding, placement: Placement): void {
  const { sampling, bits } = planes
  const { start, across, down, left = 0, top = 0, width, height } = placement
  const size = measureColors(sampling, planes.width, planes.height)
  const blueStart = planes.width * planes.height
  const redStart = blueStart + size.columns * size.rows
  const drawRow = sampling === '400' ? drawGrayRow : coding.matrix === 'identity' ? drawIdentityRow : drawColorRow
  const downShift = sampling === '420' ? 1 : 0
  const row: Row = {
    samples: bits > 8 ? toShort(planes.bytes) : planes.bytes,
    // Writing limits the values to 0 and 255.
    pixels: new Uint8ClampedArray(placement.pixels.buffer, placement.pixels.byteOffset, placement.pixels.length),
    left,
    width,
    across,
    acrossShift: sampling === '444' ? 0 : 1,
    lightAt: 0,
    blueAt: 0,
    redAt: 0,
    at: 0,
  }
  const tables = createTables(coding, bits)
  for (let line = 0; line < height; line++) {
    const colorAt = ((top + line) >> downShift) * size.columns
    row.lightAt = (top + line) * planes.width + left
    row.blueAt = blueStart + colorAt
    row.redAt = redStart + colorAt
    row.at = start + line * down
    drawRow(row, tables)
  }
}

/** A part of a row: where its samples and pixels begin, and how many there are. */
type Row = {
  samples: Uint8Array | Uint16Array
  pixels: Uint8ClampedArray
  left: number
  width: number
  across: number
  acrossShift: number
  lightAt: number
  blueAt: number
  redAt: number
  at: number
}

// One function for each kind of row takes three quarters of the time of one loop with conditions.

function drawColorRow(row: Row, { light, redOfRed, greenOfBlue, greenOfRed, blueOfBlue }: Tables): void {
  const { samples, pixels, left, width, across, acrossShift, lightAt, blueAt, redAt } = row
  for (let column = 0, at = row.at; column < width; column++, at += across) {
    const color = (left + column) >> acrossShift
    const base = light[samples[lightAt + column] as number] as number
    const blue = samples[blueAt + color] as number
    const red = samples[redAt + color] as number
    pixels[at] = (base + (redOfRed[red] as number)) >> precision
    pixels[at + 1] = (base + (greenOfBlue[blue] as number) + (greenOfRed[red] as number)) >> precision
    pixels[at + 2] = (base + (blueOfBlue[blue] as number)) >> precision
  }
}

function drawGrayRow({ samples, pixels, width, across, lightAt, at: start }: Row, { light }: Tables): void {
  for (let column = 0, at = start; column < width; column++, at += across) {
    const value = (light[samples[lightAt + column] as number] as number) >> precision
    pixels[at] = value
    pixels[at + 1] = value
    pixels[at + 2] = value
  }
}

function drawIdentityRow(row: Row, { light }: Tables): void {
  const { samples, pixels, left, width, across, acrossShift, lightAt, blueAt, redAt } = row
  for (let column = 0, at = row.at; column < width; column++, at += across) {
    const color = (left + column) >> acrossShift
    pixels[at] = (light[samples[redAt + color] as number] as number) >> precision
    pixels[at + 1] = (light[samples[lightAt + column] as number] as number) >> precision
    pixels[at + 2] = (light[samples[blueAt + color] as number] as number) >> precision
  }
}

/** Samples of two bytes must begin at an even one. */
function toShort(bytes: Buffer): Uint16Array {
  const { buffer, byteOffset, length } = bytes.byteOffset % 2 === 0 ? bytes : new Uint8Array(bytes)
  return new Uint16Array(buffer, byteOffset, length >> 1)
}

type Tables = Record<'light' | 'redOfRed' | 'greenOfBlue' | 'greenOfRed' | 'blueOfBlue', Int32Array>

/** Returns what each value of a plane adds to a color of 8 bits. `light` is rounded. */
function createTables({ matrix, isFullRange }: ColorCoding, bits: number): Tables {
  const [red, blue] = weights[matrix === 'identity' ? 'bt709' : matrix]
  const green = 1 - red - blue
  const length = 2 ** bits
  const step = 2 ** (bits - 8)
  const [black, lightScale, colorScale] = isFullRange
    ? [0, 255 / (length - 1), 255 / (length - 1)]
    : [16 * step, 255 / 219 / step, 255 / 224 / step]
  const one = 2 ** precision
  const table = (zero: number, scale: number, rounding = 0) =>
    new Int32Array(length).map((_, value) => Math.round((value - zero) * scale * one) + rounding)
  const ofRed = 2 * (1 - red) * colorScale
  const ofBlue = 2 * (1 - blue) * colorScale
  return {
    light: table(black, lightScale, one / 2),
    redOfRed: table(128 * step, ofRed),
    greenOfBlue: table(128 * step, (-ofBlue * blue) / green),
    greenOfRed: table(128 * step, (-ofRed * red) / green),
    blueOfBlue: table(128 * step, ofBlue),
  }
}
