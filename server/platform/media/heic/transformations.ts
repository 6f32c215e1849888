import type { PixelSize } from '../image-tasks.ts'
import { type Orientation, type Rectangle, RejectedHeic } from './heic-picture.ts'
import { createCursor } from './item-tables.ts'

type Property = { type: string; body: Buffer }

const types = new Set(['clap', 'irot', 'imir'])

/** A coordinate after the transformations: `ofX` * x + `ofY` * y + `start`. */
type Axis = { ofX: number; ofY: number; start: number }

/**
 * Applies the transformations (ISO/IEC 23008-12, 6.5.9 to 6.5.12) in the order of the properties. Throws RejectedHeic for a
 * crop that exceeds the picture or is not the first one, and ReadLimitExceeded for a malformed property.
 */
export function orient(decoded: PixelSize, properties: readonly Property[]): Orientation {
  let seen: Rectangle = { left: 0, top: 0, ...decoded }
  let { width, height } = decoded
  let across: Axis = { ofX: 1, ofY: 0, start: 0 }
  let down: Axis = { ofX: 0, ofY: 1, start: 0 }
  for (const [index, { type, body }] of properties.filter(({ type }) => types.has(type)).entries()) {
    if (type === 'clap') {
      if (index > 0) throw new RejectedHeic('unsupported', 'Crops after other transformations are not decoded')
      seen = parseCrop(body, decoded)
      ;[width, height] = [seen.width, seen.height]
      continue
    }
    const value = createCursor(body).uint(1)
    if (type === 'imir' && (value & 1) === 0) down = reverse(down, height)
    if (type === 'imir' && (value & 1) === 1) across = reverse(across, width)
    // Quarters of a turn against the clock.
    for (let quarters = type === 'irot' ? value & 3 : 0; quarters > 0; quarters--) {
      ;[across, down] = [down, reverse(across, width)]
      ;[width, height] = [height, width]
    }
  }
  const toPlace = (column: number, row: number): number => row * width + column
  return {
    ...{ width, height, seen, start: toPlace(across.start, down.start) },
    ...{ across: toPlace(across.ofX, down.ofX), down: toPlace(across.ofY, down.ofY) },
  }
}

const reverse = ({ ofX, ofY, start }: Axis, edge: number): Axis => ({ ofX: -ofX, ofY: -ofY, start: edge - 1 - start })

/** The box has fractions: the size of the part, and the distance of its center from the center of the picture. */
function parseCrop(body: Buffer, size: PixelSize): Rectangle {
  const cursor = createCursor(body)
  const readFraction = () => (cursor.uint(4) | 0) / cursor.uint(4)
  const [width, height] = [Math.round(readFraction()), Math.round(readFraction())]
  const left = Math.round((size.width - width) / 2 + readFraction())
  const top = Math.round((size.height - height) / 2 + readFraction())
  const isInside =
    width >= 1 && height >= 1 && left >= 0 && top >= 0 && left + width <= size.width && top + height <= size.height
  if (!isInside) throw new RejectedHeic('damage', 'The crop exceeds the picture')
  return { left, top, width, height }
}
