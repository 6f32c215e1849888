import { expect, test } from 'vitest'
import type { Planes, Sampling } from './decode-frames.ts'
import { type ColorCoding, drawPlanes } from './draw-planes.ts'

/** Returns planes of one color. `values` are brightness, blue and red. */
function createPlanes(
  sampling: Sampling,
  bits: number,
  values: readonly number[],
  size = { width: 3, height: 3 },
): Planes {
  const { width, height } = size
  const colors = { '400': 0, '420': 4, '422': 6, '444': 9 }[sampling]
  const samples = [width * height, colors, colors].flatMap((count, plane) => Array(count).fill(values[plane]))
  const bytes = Buffer.from(bits > 8 ? samples.flatMap((value) => [value & 255, value >> 8]) : samples)
  return { width, height, sampling, bits, bytes }
}

function drawAll(planes: Planes, coding: ColorCoding): number[][] {
  const { width, height } = planes
  const pixels = new Uint8Array(width * height * 3)
  drawPlanes(planes, coding, { pixels, start: 0, across: 3, down: 3 * width, width, height })
  return Array.from({ length: width * height }, (_, index) => [...pixels.subarray(index * 3, index * 3 + 3)])
}

const limited601: ColorCoding = { matrix: 'bt601', isFullRange: false }

/** Red as the specification of each matrix codes it, and other colors whose values are plain. */
test.each<[string, Sampling, number, number[], ColorCoding, number[]]>([
  ['red of BT.601', '420', 8, [81, 90, 240], limited601, [254, 0, 0]],
  ['red of BT.709', '422', 8, [63, 102, 240], { matrix: 'bt709', isFullRange: false }, [255, 0, 0]],
  ['red of BT.2020 in 10 bits', '444', 10, [294, 387, 960], { matrix: 'bt2020', isFullRange: false }, [254, 0, 0]],
  ['red in the full range', '420', 8, [76, 85, 255], { matrix: 'bt601', isFullRange: true }, [254, 0, 0]],
  ['black of the limited range', '420', 8, [16, 128, 128], limited601, [0, 0, 0]],
  ['white of the limited range in 12 bits', '420', 12, [3760, 2048, 2048], limited601, [255, 255, 255]],
  ['gray without colors', '400', 8, [100, 0, 0], { matrix: 'bt601', isFullRange: true }, [100, 100, 100]],
  ['planes of green, blue and red', '444', 8, [20, 30, 10], { matrix: 'identity', isFullRange: true }, [10, 20, 30]],
])('draws %s', (_name, sampling, bits, values, coding, expected) => {
  const pixels = drawAll(createPlanes(sampling, bits, values), coding)
  expect(pixels).toHaveLength(9)
  for (const pixel of pixels) {
    const differences = pixel.map((value, channel) => Math.abs(value - (expected[channel] ?? 0)))
    expect(Math.max(...differences), `${pixel}`).toBeLessThanOrEqual(2)
  }
})

test('draws a part of a frame, turned, and leaves the other pixels', () => {
  const planes = createPlanes('400', 8, [0, 0, 0], { width: 3, height: 2 })
  planes.bytes.set([1, 2, 3, 4, 5, 6])
  const pixels = new Uint8Array(4 * 3).fill(9)
  // A quarter turn: rows of the frame become columns, from right to left.
  const placement = { pixels, start: 3, across: 6, down: -3, width: 2, height: 2 }
  drawPlanes(planes, { matrix: 'bt601', isFullRange: true }, placement)
  expect([...pixels]).toEqual([4, 4, 4, 1, 1, 1, 5, 5, 5, 2, 2, 2])
})
