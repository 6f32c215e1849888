import { expect, test } from 'vitest'
import { catchErrorCode } from '../../../tests/support/clients/app-errors.ts'
import { fullSizePx } from './rendition-rows.ts'
import {
  chooseWidth,
  fitsInto,
  getResizedFormat,
  listWidths,
  negotiateFormat,
  parseResolution,
  parseWidth,
  requestedBox,
  scaleToFit,
  sizeInProfile,
} from './rendition-rules.ts'

test.each([
  ['640', 640],
  ['1280', 1280],
  ['2560', 2560],
  [undefined, 1280],
  ['', 1280],
  ['0', 1280],
  ['641', 1280],
  ['0640', 1280],
  ['640.0', 1280],
  [' 640', 1280],
  [['640', '2560'], 1280],
  [{}, 1280],
])('?w= parses %j as %i', (w, width) => {
  expect(parseWidth(w)).toBe(width)
})

test.each([
  [2560, 6000, 2560],
  [2560, 2559, 2560],
  [2560, 1920, 1920],
  [2560, 1000, 1280],
  [640, 1000, 640],
  [2560, 50, 640],
  [1920, null, 1920],
])('?w= uses for %i and a photo %j wide the width %i', (asked, width, step) => {
  expect(chooseWidth(asked, { width, height: 10 })).toBe(step)
})

test.each([
  [undefined, 'jpeg'],
  ['', 'jpeg'],
  ['*/*', 'jpeg'],
  ['image/*', 'jpeg'],
  ['image/webp', 'webp'],
  ['IMAGE/WebP', 'webp'],
  ['image/avif,image/webp,image/apng,*/*;q=0.8', 'webp'],
  ['image/webp ; q=0.1', 'webp'],
  ['image/webp;q=0', 'jpeg'],
  ['image/webp; q=0.000, image/jpeg', 'jpeg'],
  ['text/html;x="image/webp"', 'jpeg'],
])('Accept %j selects %s', (accept, format) => {
  expect(negotiateFormat(accept, { avif: false })).toBe(format)
})

test.each([
  ['image/avif,image/webp,*/*;q=0.8', 'avif'],
  ['image/avif;q=0,image/webp', 'webp'],
  ['image/webp', 'webp'],
  ['image/*', 'jpeg'],
])('with AVIF enabled, Accept %j selects %s', (accept, format) => {
  expect(negotiateFormat(accept, { avif: true })).toBe(format)
})

test.each([
  [6000, [640, 1280, 1920]],
  [2560, [640, 1280, 1920]],
  [1500, [640, 1280, 1920]],
  [640, [640]],
  [60, [640]],
  [null, [640, 1280, 1920]],
])('of a photo of width %s, the widths %j are made together', (width, steps) => {
  expect(listWidths({ width, height: 100 })).toEqual(steps)
})

const profile = (capPx: number | null) => ({ variant: 'guest-x', capPx, watermark: null })
test.each([
  [640, null, { width: 640, height: 16_383 }],
  [640, 2000, { width: 640, height: 2000 }],
  [2560, 2000, { width: 2000, height: 2000 }],
  [fullSizePx, null, { width: 65_500, height: 65_500 }],
  [fullSizePx, 2000, { width: 2000, height: 2000 }],
])('the box of a request for width %i and a limit of %s is %j', (bound_px, capPx, box) => {
  expect(requestedBox({ profile: profile(capPx), bound_px })).toEqual(box)
})

test('the box of a request a limit applies to the longest edge', () => {
  expect(sizeInProfile({ width: 4000, height: 6000 }, profile(3000))).toEqual({ width: 2000, height: 3000 })
  expect(sizeInProfile({ width: 4000, height: 6000 }, profile(null))).toEqual({ width: 4000, height: 6000 })
})

test.each([
  ['1x1', { width: 1, height: 1 }],
  ['1920x1080', { width: 1920, height: 1080 }],
  ['16384x16384', { width: 16_384, height: 16_384 }],
])('?resolution= parses %s as a box', (resolution, box) => {
  expect(parseResolution(resolution)).toEqual(box)
})

test('?resolution= returns no box for the original, and rejects other forms', () => {
  for (const resolution of ['original', undefined]) expect(parseResolution(resolution)).toBeNull()
  const bad = ['', '0x1', '1x0', '16385x1', '1x16385', '100000x1', '-1x1', '1.5x2', '1e3x2', '0100x100', '100', 'x100']
  for (const resolution of [...bad, '100x', '100X100', '1x1x1', ' 1x1', '1x1\n', 'Original'])
    expect(
      catchErrorCode(() => parseResolution(resolution)),
      resolution,
    ).toBe('VALIDATION_ERROR')
})

test.each([
  [{ width: 6000, height: 4000 }, { width: 6000, height: 4000 }, true, { width: 6000, height: 4000 }],
  [{ width: 6000, height: 4000 }, { width: 5999, height: 4000 }, false, { width: 5999, height: 3999 }],
  [{ width: 6000, height: 4000 }, { width: 9000, height: 2000 }, false, { width: 3000, height: 2000 }],
  [{ width: null, height: null }, { width: 100, height: 200 }, false, { width: 100, height: 200 }],
])('%j in a box of %j: fits %s, becomes %j', (photo, box, fits, size) => {
  expect(fitsInto(photo, box)).toBe(fits)
  expect(scaleToFit(photo, box)).toEqual(size)
})

test.each([
  ['1_a.jpg', 'jpeg'],
  ['1_a.png', 'png'],
  ['1_a.webp', 'webp'],
  ['1_a.gif', 'jpeg'],
  ['1_a.tiff', 'jpeg'],
  ['1_a.avif', 'jpeg'],
])('resizes %s as %s', (filename, format) => {
  expect(getResizedFormat({ filename })).toBe(format)
})
