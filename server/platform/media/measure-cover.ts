import sharp from 'sharp'
import { type CoverMeasurement, levelCells, type MeasureCoverTask, thumbnailEdgePx } from './image-tasks.ts'

export const focusEdge = 32
/** The half edge of the square whose detail counts for the pixel in its middle, about a fifth of the picture. */
const reach = 3

/** Throws if the file is no picture of the size of a thumbnail. */
export async function measureCover({ sourcePath }: MeasureCoverTask): Promise<CoverMeasurement> {
  const picture = sharp(sourcePath, { failOn: 'error', limitInputPixels: thumbnailEdgePx ** 2 })
  const { data, info } = await picture.toColourspace('srgb').removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const small = await sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .resize(focusEdge, focusEdge, { fit: 'fill' })
    .raw()
    .toBuffer()
  return { ...findFocus(small), levels: findLevels(data, info.width, info.height).toString('base64') }
}

/**
 * Returns the middle of the squares with the most local contrast, in percent. Colors of skin count more, and so do the
 * upper half and the middle. `pixels`: RGB, 32 × 32.
 */
export function findFocus(pixels: Uint8Array): Pick<CoverMeasurement, 'focusX' | 'focusY'> {
  const gray = (x: number, y: number) => grayOf(pixels, (y * focusEdge + x) * 3)
  const detail = (x: number, y: number) => {
    const weight = isSkin(pixels, (y * focusEdge + x) * 3) ? 3 : 1
    const difference = 4 * gray(x, y) - gray(x - 1, y) - gray(x + 1, y) - gray(x, y - 1) - gray(x, y + 1)
    return (
      Math.min(Math.abs(difference), 80) * weight * (1 - y / focusEdge / 2) * (1.2 - Math.abs(x / focusEdge - 0.5) / 2)
    )
  }
  const inner = Array.from({ length: focusEdge - 2 }, (_, index) => index + 1)
  const details = inner.map((y) => inner.map((x) => detail(x, y)))
  const middles = inner.slice(reach, -reach)
  const squares = middles.flatMap((y) =>
    middles.map((x) => {
      const rows = details.slice(y - 1 - reach, y + reach).map((row) => row.slice(x - 1 - reach, x + reach))
      return { x, y, sum: rows.flat().reduce((sum, value) => sum + value, 0) }
    }),
  )
  const most = Math.max(...squares.map(({ sum }) => sum))
  if (most < 1) return { focusX: 50, focusY: 40 }
  const weights = squares.reduce((total, { sum }) => total + (sum / most) ** 6, 0)
  const center = (axis: 'x' | 'y') =>
    squares.reduce((total, square) => total + (square.sum / most) ** 6 * (square[axis] + 0.5), 0) / weights
  return { focusX: Math.round((100 * center('x')) / focusEdge), focusY: Math.round((100 * center('y')) / focusEdge) }
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
  const cells = Array.from({ length: levelCells ** 2 }, () => ({ highest: 0, differences: 0, count: 0 }))
  for (let at = 0, before = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)]
    const cell = cells[Math.floor((y * levelCells) / height) * levelCells + Math.floor((x * levelCells) / width)]
    const gray = grayOf(pixels, at * 3)
    if (!cell) continue
    cell.highest = Math.max(cell.highest, gray)
    cell.differences += x === 0 ? 0 : Math.abs(gray - before)
    cell.count++
    before = gray
  }
  const level = ({ highest, differences, count }: (typeof cells)[number]) => highest + (4 * differences) / (count || 1)
  return Buffer.from(cells.map((cell) => Math.min(255, Math.ceil(level(cell)))))
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
