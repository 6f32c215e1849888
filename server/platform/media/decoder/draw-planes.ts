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
  /** The part of the frame that is drawn, from its first pixel on. */
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

/** Draws the upper left part of a frame as red, green and blue with 8 bits each. */
export function drawPlanes(planes: Planes, coding: ColorCoding, placement: Placement): void {
  const { sampling, bits } = planes
  const samples = bits > 8 ? toShort(planes.bytes) : planes.bytes
  const size = measureColors(sampling, planes.width, planes.height)
  const blueStart = planes.width * planes.height
  const redStart = blueStart + size.columns * size.rows
  const { pixels, start, across, down, width, height } = placement
  const [acrossShift, downShift] = [sampling === '444' ? 0 : 1, sampling === '420' ? 1 : 0]
  const shift = Math.max(0, bits - 8)
  const { light, redOfRed, greenOfBlue, greenOfRed, blueOfBlue } = createTables(coding)
  const isGray = sampling === '400'
  const isIdentity = coding.matrix === 'identity' && !isGray
  for (let row = 0; row < height; row++) {
    let at = start + row * down
    const lightAt = row * planes.width
    const colorAt = (row >> downShift) * size.columns
    for (let column = 0; column < width; column++, at += across) {
      const value = (samples[lightAt + column] as number) >> shift
      if (isGray) {
        pixels[at] = pixels[at + 1] = pixels[at + 2] = clamp((light[value] as number) >> precision)
        continue
      }
      const color = colorAt + (column >> acrossShift)
      const blue = (samples[blueStart + color] as number) >> shift
      const red = (samples[redStart + color] as number) >> shift
      const base = light[value] as number
      if (isIdentity) {
        pixels[at] = clamp((light[red] as number) >> precision)
        pixels[at + 1] = clamp(base >> precision)
        pixels[at + 2] = clamp((light[blue] as number) >> precision)
        continue
      }
      pixels[at] = clamp((base + (redOfRed[red] as number)) >> precision)
      pixels[at + 1] = clamp((base + (greenOfBlue[blue] as number) + (greenOfRed[red] as number)) >> precision)
      pixels[at + 2] = clamp((base + (blueOfBlue[blue] as number)) >> precision)
    }
  }
}

/** The buffer of Node.js may begin at an odd byte of its memory. */
const toShort = (bytes: Buffer): Uint16Array => new Uint16Array(Uint8Array.from(bytes).buffer, 0, bytes.length >> 1)

const clamp = (value: number): number => (value < 0 ? 0 : value > 255 ? 255 : value)

type Tables = Record<'light' | 'redOfRed' | 'greenOfBlue' | 'greenOfRed' | 'blueOfBlue', Int32Array>

/** Returns what each value of a plane, cut to 8 bits, adds to a color. `light` is rounded. */
function createTables({ matrix, isFullRange }: ColorCoding): Tables {
  const [red, blue] = weights[matrix === 'identity' ? 'bt709' : matrix]
  const green = 1 - red - blue
  const [black, lightScale, colorScale] = isFullRange ? [0, 1, 1] : [16, 255 / 219, 255 / 224]
  const one = 2 ** precision
  const table = (zero: number, scale: number, rounding = 0) =>
    Int32Array.from({ length: 256 }, (_, value) => Math.round((value - zero) * scale * one) + rounding)
  const ofRed = 2 * (1 - red) * colorScale
  const ofBlue = 2 * (1 - blue) * colorScale
  return {
    light: table(black, lightScale, one / 2),
    redOfRed: table(128, ofRed),
    greenOfBlue: table(128, (-ofBlue * blue) / green),
    greenOfRed: table(128, (-ofRed * red) / green),
    blueOfBlue: table(128, ofBlue),
  }
}
