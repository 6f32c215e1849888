import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { pictureUnits } from '../../../contract/gallery/thread-kinds.ts'
import { centerPin, type Mark, moveMark, placeOf, resizeMark, toMark } from './mark-geometry.ts'

const at = (clientX: number, clientY: number) => ({ clientX, clientY })
const shown = { left: 100, top: 50, width: 400, height: 200 }

describe('a drag', () => {
  test('is a box in either direction, the parts beside the picture cut off', () => {
    const box: Mark = { kind: 'box', x: 250_000, y: 100_000, w: 500_000, h: 400_000 }
    expect(toMark(shown, at(200, 70), at(400, 150))).toEqual(box)
    expect(toMark(shown, at(400, 150), at(200, 70))).toEqual(box)
    expect(toMark(shown, at(0, 0), at(9_000, 9_000))).toEqual({ kind: 'box', x: 0, y: 0, w: 1e6, h: 1e6 })
    expect(toMark(shown, at(0, 60), at(50, 150))).toBeNull()
  })

  test('of a few pixels is a pin, unless it is beside the picture', () => {
    expect(toMark(shown, at(300, 100), at(304, 96))).toEqual({ kind: 'pin', x: 500_000, y: 250_000 })
    expect(toMark(shown, at(90, 100), at(92, 100))).toBeNull()
  })

  test('at any zoom leads to the same place of the picture', () => {
    for (const zoom of [0.3, 1, 2.7, 9.13]) {
      const box = { left: -371.4 * zoom, top: 20.2 - 90 * zoom, width: 390 * zoom, height: 585 * zoom }
      const point = (x: number, y: number) => at(box.left + x * box.width, box.top + y * box.height)
      const mark = toMark(box, point(0.123456, 0.2), point(0.65, 0.987654))
      expect(mark).toEqual({ kind: 'box', x: 123_456, y: 200_000, w: 526_544, h: 787_654 })
    }
  })
})

describe('keys', () => {
  const step = { x: 20_000, y: 40_000 }

  test('move a mark up to the edges', () => {
    expect(moveMark(centerPin, { x: -20_000, y: 40_000 })).toEqual({ kind: 'pin', x: 480_000, y: 540_000 })
    const box: Mark = { kind: 'box', x: 700_000, y: 0, w: 250_000, h: 100_000 }
    expect(moveMark(box, { x: 200_000, y: -1 })).toEqual({ ...box, x: 750_000 })
  })

  test('make a box of a pin and resize it, which stays a box on the picture', () => {
    const box = resizeMark(centerPin, { x: 20_000, y: 0 }, step)
    expect(box).toEqual({ kind: 'box', x: 500_000, y: 500_000, w: 40_000, h: 40_000 })
    expect(resizeMark(box, { x: -90_000, y: 900_000 }, step)).toEqual({ ...box, w: 20_000, h: 500_000 })
    const corner = resizeMark({ kind: 'pin', x: 1e6, y: 1e6 }, { x: 20_000, y: 0 }, step)
    expect(corner).toEqual({ kind: 'box', x: 980_000, y: 960_000, w: 20_000, h: 40_000 })
  })
})

test('the place of a mark is that of its middle', () => {
  expect(placeOf(centerPin)).toBe('placeMiddle')
  expect(placeOf({ x: 0, y: 0, w: 1e6, h: 300_000 })).toBe('placeTop')
  expect(placeOf({ x: 1e6, y: 1e6, w: null, h: null })).toBe('placeLowerRight')
})

/** The size of the stored picture, and a red area in it. */
const stored = { width: 240, height: 160 }
const area = { left: 40, top: 24, width: 60, height: 32 }

/** The stored pixel where EXIF orientation `orientation` shows the point of the upright picture (EXIF 2.32, 4.6.5.1). */
const toStored: Record<number, (x: number, y: number) => [number, number]> = {
  1: (x, y) => [x, y],
  2: (x, y) => [1 - x, y],
  3: (x, y) => [1 - x, 1 - y],
  4: (x, y) => [x, 1 - y],
  5: (x, y) => [y, x],
  6: (x, y) => [y, 1 - x],
  7: (x, y) => [1 - y, 1 - x],
  8: (x, y) => [1 - y, x],
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'a box on a photo with EXIF orientation %i lies on its original within 0.5 %%',
  async (orientation) => {
    const base = sharp({ create: { ...stored, channels: 3, background: 'white' } })
    const red = sharp({ create: { width: area.width, height: area.height, channels: 3, background: 'red' } })
    const original = await base
      .composite([{ input: await red.png().toBuffer(), left: area.left, top: area.top }])
      .withMetadata({ orientation })
      .png()
      .toBuffer()
    const upright = await sharp(original).autoOrient().removeAlpha().raw().toBuffer({ resolveWithObject: true })
    const found = findRed(upright.data, upright.info.width)

    // The picture is shown three times as large as the window, and moved.
    const box = { left: -210.7, top: -95.3, width: upright.info.width * 4.37, height: upright.info.height * 4.37 }
    const toWindow = (x: number, y: number) => at(box.left + x * 4.37, box.top + y * 4.37)
    const mark = toMark(box, toWindow(found.left, found.top), toWindow(found.right, found.bottom))
    const { x, y, w = 0, h = 0 } = mark as Mark
    const toOriginal = toStored[orientation] ?? (() => [0, 0])
    const from = toOriginal(x / pictureUnits, y / pictureUnits)
    const to = toOriginal((x + w) / pictureUnits, (y + h) / pictureUnits)
    const edges = [0, 1].flatMap((axis) => [from[axis] ?? 0, to[axis] ?? 0].sort((a, b) => a - b))
    const expected = [
      area.left / stored.width,
      (area.left + area.width) / stored.width,
      area.top / stored.height,
      (area.top + area.height) / stored.height,
    ]
    for (const [index, edge] of edges.entries()) expect(Math.abs(edge - (expected[index] ?? 0))).toBeLessThan(0.005)
  },
)

function findRed(pixels: Buffer, width: number) {
  const found = { left: width, top: Number.POSITIVE_INFINITY, right: 0, bottom: 0 }
  for (let index = 0; index < pixels.length; index += 3) {
    if ((pixels[index + 1] ?? 0) > 100) continue
    const [x, y] = [(index / 3) % width, Math.floor(index / 3 / width)]
    found.left = Math.min(found.left, x)
    found.top = Math.min(found.top, y)
    found.right = Math.max(found.right, x + 1)
    found.bottom = Math.max(found.bottom, y + 1)
  }
  return found
}
