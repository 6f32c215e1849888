import { create } from 'content-disposition'
import { expect, test } from 'vitest'
import { parseFilename } from './parse-filename.ts'

test.each([
  'IMG_1.JPG',
  'a b.jpg',
  '"; filename=evil.exe; x=".jpg',
  'back\\slash.png',
  '100 %41.jpg',
  "l'été – 新娘.jpg",
  '💍*.mp4',
])('%j is parsed from the header as it was written', (name) => {
  expect(parseFilename(create(name))).toBe(name)
})

test('returns null for a header without a name and for no header', () => {
  for (const header of ['attachment', null]) expect(parseFilename(header)).toBeNull()
})
