import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  clampView,
  fitSize,
  fittedView,
  getActualZoom,
  getPhotoOffset,
  panView,
  type Size,
  zoomView,
} from './linked-view.ts'

const frame = { width: 600, height: 400 }
const photo = { width: 6000, height: 4000 }
const limits = { frame, photo, widest: 8 }

test('fits a photo into its frame and computes the zoom of its actual pixels', () => {
  expect(fitSize(frame, { width: 4000, height: 4000 })).toEqual({ width: 400, height: 400 })
  expect(getActualZoom(frame, photo, 2)).toBe(5)
  expect(getActualZoom(frame, { width: 300, height: 200 }, 1)).toBe(1)
})

test('keeps the point under the pointer in place while zooming', () => {
  const at = { left: 120, top: -60 }
  const view = zoomView(fittedView, 4, at, limits)
  const { left, top } = getPhotoOffset(view, frame, photo)
  // At the fitted size, this point is 120 pixels right of the center of the photo. Now it is four times as far away.
  expect(left + 4 * at.left).toBeCloseTo(at.left)
  expect(top + 4 * at.top).toBeCloseTo(at.top)
})

test('moves a photo with the finger and stops at its edges', () => {
  const view = zoomView(fittedView, 4, { left: 0, top: 0 }, limits)
  const moved = panView(view, { left: 30, top: -20 }, frame, photo)
  expect(getPhotoOffset(moved, frame, photo)).toEqual({ left: expect.closeTo(30), top: expect.closeTo(-20) })
  const far = panView(view, { left: 99_999, top: 0 }, frame, photo)
  expect(getPhotoOffset(far, frame, photo).left).toBeCloseTo((4 * frame.width - frame.width) / 2)
})

test('shows no empty space on an axis where the photo is larger than the frame', () => {
  const side = fc.integer({ min: 50, max: 4000 })
  const size = fc.record({ width: side, height: side })
  const share = fc.double({ min: -2, max: 3, noNaN: true })
  fc.assert(
    fc.property(
      size,
      size,
      share,
      share,
      fc.double({ min: 1, max: 20, noNaN: true }),
      (box: Size, shown, x, y, zoom) => {
        const view = { zoom, x, y }
        const { width, height } = fitSize(box, shown)
        const { left, top } = getPhotoOffset(view, box, shown)
        expect(Math.abs(left)).toBeLessThanOrEqual(Math.max(0, (width * zoom - box.width) / 2) + 0.01)
        expect(Math.abs(top)).toBeLessThanOrEqual(Math.max(0, (height * zoom - box.height) / 2) + 0.01)
        expect(clampView(clampView(view, box, shown), box, shown)).toEqual(clampView(view, box, shown))
      },
    ),
  )
})
