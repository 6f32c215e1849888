import sharp from 'sharp'
import { type CoverMeasurement, levelCells, type MeasureCoverTask, thumbnailEdgePx } from './image-tasks.ts'

const edge = 64
/** The half edge of the square whose detail counts for the pixel in its middle, about a fifth of the picture. */
const reach = 7

/** Throws if the file is no picture of the size of a thumbnail. */
export async function measureCover({ sourcePath }: MeasureCoverTask): Promise<CoverMeasurement> {
  const picture = sharp(sourcePath, { failOn: 'error', limitInputPixels: thumbnailEdgePx ** 2 })
  const { data, info } = await picture.toColourspace('srgb').removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const small = await sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .resize(edge, edge, { fit: 'fill' })
    .raw()
    .toBuffer()
  return { ...findFocus(small), levels: findLevels(data, info.width, info.height).toString('base64') }
}

/**
 * Returns the middle of the squares with the most local contrast, in percent. Colors of skin count more, and so do the
 * upper half and the middle. `pixels`: RGB, 64 × 64.
 */
export function findFocus(pixels: Uint8Array): Pick<CoverMeasurement, 'focusX' | 'focusY'> {
  const grays = Float64Array.from({ length: edge * edge }, (_, at) => grayOf(pixels, at * 3))
  const sums = new Float64Array((edge + 1) ** 2)
  for (let y = 0; y < edge; y++) {
    for (let x = 0; x < edge; x++) {
      const at = y * edge + x
      const isInside = x > 0 && y > 0 && x < edge - 1 && y < edge - 1
      const weight = (isSkin(pixels, at * 3) ? 3 : 1) * (1 - (0.5 * y) / edge) * (1 - 0.4 * Math.abs(x / edge - 0.5))
      const value = isInside ? Math.min(contrastAt(grays, at), 80) * weight : 0
      const sum = (y + 1) * (edge + 1) + x + 1
      sums[sum] = value + valueAt(sums, sum - 1) + valueAt(sums, sum - edge - 1) - valueAt(sums, sum - edge - 2)
    }
  }
  return centerOfSquares(sums)
}

const valueAt = (values: Float64Array, at: number): number => values[at] ?? 0

const contrastAt = (grays: Float64Array, at: number): number =>
  Math.abs(
    4 * valueAt(grays, at) -
      valueAt(grays, at - 1) -
      valueAt(grays, at + 1) -
      valueAt(grays, at - edge) -
      valueAt(grays, at + edge),
  )

/** `sums`: the sum of all values above and before each pixel. */
function centerOfSquares(sums: Float64Array): Pick<CoverMeasurement, 'focusX' | 'focusY'> {
  const squares: Array<[x: number, y: number, value: number]> = []
  for (let y = reach; y < edge - reach; y++) {
    for (let x = reach; x < edge - reach; x++) {
      const [top, end] = [(y - reach) * (edge + 1), (y + reach + 1) * (edge + 1)]
      const [left, right] = [x - reach, x + reach + 1]
      const value =
        valueAt(sums, end + right) - valueAt(sums, end + left) - valueAt(sums, top + right) + valueAt(sums, top + left)
      squares.push([x, y, value])
    }
  }
  const most = Math.max(...squares.map(([, , value]) => value))
  if (most < 1) return { focusX: 50, focusY: 40 }
  let [weights, sumX, sumY] = [0, 0, 0]
  for (const [x, y, value] of squares) {
    const weight = (value / most) ** 6
    weights += weight
    sumX += weight * (x + 0.5)
    sumY += weight * (y + 0.5)
  }
  return { focusX: Math.round((100 * sumX) / weights / edge), focusY: Math.round((100 * sumY) / weights / edge) }
}

function isSkin(pixels: Uint8Array, at: number): boolean {
  const [red = 0, green = 0, blue = 0] = pixels.subarray(at, at + 3)
  const sum = red + green + blue + 1
  return red > 60 && red / sum > 0.36 && red / sum < 0.5 && green / sum > 0.28 && green / sum < 0.36
}

/**
 * Returns the brightest gray of each cell. Where neighbors differ, the photo has brighter points than its thumbnail, so
 * the mean difference is added four times, which is enough for noise of single pixels. `pixels`: RGB.
 */
export function findLevels(pixels: Uint8Array, width: number, height: number): Buffer {
  const highest = new Float64Array(levelCells ** 2)
  const differences = new Float64Array(levelCells ** 2)
  const counts = new Float64Array(levelCells ** 2)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const cell = Math.floor((y * levelCells) / height) * levelCells + Math.floor((x * levelCells) / width)
      const gray = grayOf(pixels, (y * width + x) * 3)
      const left = x === 0 ? gray : grayOf(pixels, (y * width + x - 1) * 3)
      highest[cell] = Math.max(valueAt(highest, cell), gray)
      differences[cell] = valueAt(differences, cell) + Math.abs(gray - left)
      counts[cell] = valueAt(counts, cell) + 1
    }
  }
  return Buffer.from(
    highest.map((gray, cell) =>
      Math.min(255, Math.ceil(gray + (4 * valueAt(differences, cell)) / valueAt(counts, cell))),
    ),
  )
}

/** Returns the gray, 0 to 255, with the luminance of the RGB pixel at the index (WCAG 2.2). */
function grayOf(pixels: Uint8Array, at: number): number {
  const part = (offset: number) => linear[pixels[at + offset] ?? 0] ?? 0
  const luminance = 0.2126 * part(0) + 0.7152 * part(1) + 0.0722 * part(2)
  return 255 * (luminance <= 0.0031308 ? luminance * 12.92 : 1.055 * luminance ** (1 / 2.4) - 0.055)
}

const linear = Float64Array.from({ length: 256 }, (_, part) =>
  part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
)
