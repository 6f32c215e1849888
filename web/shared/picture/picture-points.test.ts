import { expect, test } from 'vitest'
import { toPicturePixels, toPicturePoint } from './picture-points.ts'

const box = { left: 100, top: 50, width: 400, height: 200 }

test('a point of the window is a part of the picture, and back', () => {
  const point = toPicturePoint(box, { clientX: 200, clientY: 200 })
  expect(point).toEqual({ x: 0.25, y: 0.75 })
  expect(toPicturePixels(point, box)).toEqual({ left: 100, top: 150 })
})

test('points beside the picture are at its edge', () => {
  expect(toPicturePoint(box, { clientX: 0, clientY: 900 })).toEqual({ x: 0, y: 1 })
})
