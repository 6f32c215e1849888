import { expect, test } from 'vitest'
import { imageFileTypes, videoFileTypes } from '../../../contract/settings.ts'
import {
  acceptedTypes,
  imageTypes,
  isSystemFile,
  keyOf,
  refusedBefore,
  sentName,
  videoEndings,
} from './upload-file-rules.ts'

const file = (name: string, { size = 1000, type = '', lastModified = 1 } = {}) => ({ name, size, type, lastModified })

test('the endings known here are those that the service can take', () => {
  expect(Object.keys(imageTypes)).toEqual([...imageFileTypes])
  expect(videoEndings).toEqual([...videoFileTypes])
  const images = 'image/jpeg,image/png,image/webp,image/gif,image/tiff,image/avif'
  expect([acceptedTypes(false), acceptedTypes(true)]).toEqual([images, `${images},video/*`])
})

test('HEIC, empty files and what is neither photo nor video are refused without being sent', () => {
  expect(refusedBefore(file('IMG_1.HEIC'))).toBe('heic')
  expect(refusedBefore(file('IMG_1', { type: 'image/heic' }))).toBe('heic')
  expect(refusedBefore(file('a.jpg', { size: 0 }))).toBe('empty')
  expect(refusedBefore(file('letter.pdf', { type: 'application/pdf' }))).toBe('type')
  expect(refusedBefore(file('noending'))).toBe('type')
})

test('everything else is for the service to check', () => {
  expect(refusedBefore(file('a.JPG'))).toBeNull()
  expect(refusedBefore(file('a.b.mov'))).toBeNull()
  expect(refusedBefore(file('image', { type: 'image/jpeg' }))).toBeNull()
})

test('a photo without an ending that says so gets the one of its type', () => {
  const jpeg = { type: 'image/jpeg' }
  expect(sentName(file('1000012345', jpeg))).toBe('1000012345.jpeg')
  expect(sentName(file('saved.jfif', jpeg))).toBe('saved.jfif.jpeg')
  expect(sentName(file('a.JPG', { type: 'image/png' }))).toBe('a.JPG')
  expect(sentName(file('a.raw'))).toBe('a.raw')
})

test('a file is the same when name, size and time are', () => {
  expect(keyOf(file('a.jpg'))).toBe(keyOf(file('a.jpg', { type: 'image/jpeg' })))
  expect(keyOf(file('a.jpg'))).not.toBe(keyOf(file('a.jpg', { lastModified: 2 })))
})

test('what systems leave in folders is told apart from what people put there', () => {
  const junk = ['.DS_Store', 'a/._IMG_1.jpg', 'a/b/Thumbs.db', 'desktop.ini', '__MACOSX/a/IMG_1.jpg']
  const photos = ['a/IMG_1.jpg', 'thumbs.db.jpg', 'my.__MACOSX/1.jpg']
  expect([junk.map(isSystemFile), photos.map(isSystemFile)]).toEqual([junk.map(() => true), photos.map(() => false)])
})
