import { expect, test } from 'vitest'
import { getActualZoom, getMargins, needsFullSize } from './zoom-rules.ts'

const photo = { id: 1, width: 6000, height: 4000, mime_type: 'image/jpeg' }
const zoomed = { photo, shownWidth: 6000, pixelRatio: 1, isFitted: false }

test('loads the full-size photo when it is zoomed beyond the widest picture, but never for the fitted view', () => {
  expect(needsFullSize(zoomed)).toBe(true)
  expect(needsFullSize({ ...zoomed, shownWidth: 1500, pixelRatio: 2 })).toBe(true)
  expect(needsFullSize({ ...zoomed, shownWidth: 2000 })).toBe(false)
  expect(needsFullSize({ ...zoomed, shownWidth: 3840, pixelRatio: 2, isFitted: true })).toBe(false)
})

test('does not load a full-size photo that has no more pixels or that browsers cannot show', () => {
  expect(needsFullSize({ ...zoomed, photo: { ...photo, width: 2560 } })).toBe(false)
  expect(needsFullSize({ ...zoomed, photo: { ...photo, mime_type: 'image/heic' } })).toBe(false)
})

test('shows one photo pixel as one screen pixel at 100 %, or as a CSS pixel if it is fitted larger', () => {
  expect(getActualZoom(0.2, 1)).toBe(1)
  expect(getActualZoom(0.2, 2)).toBe(0.5)
  expect(getActualZoom(0.5, 3)).toBe(1)
})

test('leaves space for the controls except in low windows', () => {
  expect(getMargins({ x: 390, y: 844 })).toMatchObject({ left: 0, bottom: 72 })
  expect(getMargins({ x: 390, y: 844 }, true)).toMatchObject({ left: 0, bottom: 120 })
  expect(getMargins({ x: 1280, y: 800 })).toMatchObject({ left: 64, right: 64 })
  expect(getMargins({ x: 844, y: 390 })).toEqual({ top: 0, bottom: 0, left: 0, right: 0 })
})
