import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createArchiveNames } from '../archives/archive-names.ts'
import { sanitizeOriginalName } from '../photos/photo-files.ts'
import { getDownloadName, replaceExtension } from './download-name.ts'

const downloadName = (name: string, extension: string) =>
  getDownloadName({ filename: `1700000000000_0a1b2c3d${extension}`, original_filename: name })

test.each([
  ['IMG_1.JPG', '.jpg'],
  ['from the web.jfif', '.jpg'],
  ['evil.html.jpg', '.jpg'],
  ['IMG_1.TIF', '.tiff'],
  ['IMG_1.HIF', '.heic'],
  ['IMG_1.M4V', '.mp4'],
  ['IMG_1.mp4', '.m4v'],
  ['Übung – 新娘.PNG', '.png'],
])('getDownloadName keeps the name %j of a %s file', (name, extension) => {
  expect(downloadName(name, extension)).toBe(name)
})

test.each([
  ['invoice.html', '.jpg', 'invoice.jpg'],
  ['x.jpg.hta', '.jpg', 'x.jpg.jpg'],
  ['evil.svg', '.png', 'evil.png'],
  ['.htaccess', '.jpg', 'htaccess.jpg'],
  ['.jpg', '.jpg', 'jpg.jpg'],
  ['photo.jpg', '.png', 'photo.png'],
  ['movie.jpg', '.mp4', 'movie.mp4'],
  ['no extension', '.jpg', 'no extension.jpg'],
  ['Mr. Smith', '.jpg', 'Mr. Smith.jpg'],
  ['evil.html.', '.jpg', 'evil.html..jpg'],
  ['evil.htmlhtmlhtml', '.jpg', 'evil.htmlhtmlhtml.jpg'],
  ['evil．html', '.jpg', 'evil．html.jpg'],
  ['jpg', '.jpg', 'jpg.jpg'],
])('getDownloadName returns for %j of a %s file %j', (name, extension, expected) => {
  expect(downloadName(name, extension)).toBe(expected)
})

test('getDownloadName returns a name with a matching extension and at most 255 characters', () => {
  const anyName = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: fc.constantFrom('.', 'j', 'p', 'g', 'J', ' ', '/', '\u202e', 'html', '1'), maxLength: 300 }),
  )
  fc.assert(
    fc.property(anyName, (given) => {
      const name = downloadName(sanitizeOriginalName(given, '.jpg'), '.jpg')
      expect(name.length).toBeLessThanOrEqual(255)
      for (const one of [name, ...createArchiveNames([name, name])]) expect(one).toMatch(/.\.(jpe?g|jpe|jfif)$/i)
      expect(downloadName(name, '.jpg')).toBe(name)
    }),
    { numRuns: 50 },
  )
})

test.each([
  ['DSC_1.JPG', '.jpg', 'DSC_1.jpg'],
  ['a.b.tiff', '.jpg', 'a.b.jpg'],
  ['Übung.png', '.png', 'Übung.png'],
  ['no extension', '.webp', 'no extension.webp'],
  ['Screen at 10.15.30', '.jpg', 'Screen at 10.15.30.jpg'],
])('gives %j the extension %s: %j', (name, extension, kept) => {
  expect(replaceExtension(name, extension)).toBe(kept)
})
