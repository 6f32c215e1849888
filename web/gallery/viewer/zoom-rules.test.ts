import { expect, test } from 'vitest'
import { actualZoom, marginsIn, needsFullSize } from './zoom-rules.ts'

const photo = { id: 1, width: 6000, height: 4000, mime_type: 'image/jpeg' }
const zoomed = { photo, shownWidth: 6000, pixelRatio: 1, isFitted: false }

test('the full-size photo is loaded when it is zoomed beyond the widest picture', () => {
  expect(needsFullSize(zoomed)).toBe(true)
  expect(needsFullSize({ ...zoomed, shownWidth: 1500, pixelRatio: 2 })).toBe(true)
  expect(needsFullSize({ ...zoomed, shownWidth: 2000 })).toBe(false)
})

test('it is never loaded for the fitted view, however large the screen', () => {
  expect(needsFullSize({ ...zoomed, shownWidth: 3840, pixelRatio: 2, isFitted: true })).toBe(false)
})

test('it is not loaded where it has no more pixels, or browsers cannot show it', () => {
  expect(needsFullSize({ ...zoomed, photo: { ...photo, width: 2560 } })).toBe(false)
  expect(needsFullSize({ ...zoomed, photo: { ...photo, mime_type: 'image/heic' } })).toBe(false)
})

test('at 100 % each pixel of the photo is one of the screen', () => {
  expect(actualZoom(0.2, 1)).toBe(1)
  expect(actualZoom(0.2, 2)).toBe(0.5)
})

test('a photo that is fitted larger than that goes by CSS pixels', () => {
  expect(actualZoom(0.5, 3)).toBe(1)
})

test('fitted photos leave the controls their space, but on a phone on its side', () => {
  expect(marginsIn({ x: 390, y: 844 })).toMatchObject({ left: 0, bottom: 72 })
  expect(marginsIn({ x: 1280, y: 800 })).toMatchObject({ left: 64, right: 64 })
  expect(marginsIn({ x: 844, y: 390 })).toEqual({ top: 0, bottom: 0, left: 0, right: 0 })
})
