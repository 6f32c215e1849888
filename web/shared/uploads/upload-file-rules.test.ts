import { expect, test } from 'vitest'
import { imageFileTypes, videoFileTypes } from '../../../contract/settings.ts'
import {
  formatAcceptAttribute,
  getFileKey,
  getUploadName,
  imageTypes,
  isSystemFile,
  rejectedBeforeUpload,
  videoExtensions,
} from './upload-file-rules.ts'

const file = (name: string, { size = 1000, type = '', lastModified = 1 } = {}) => ({ name, size, type, lastModified })

test('lists exactly the extensions that the service accepts', () => {
  expect(Object.keys(imageTypes)).toEqual([...imageFileTypes])
  expect(videoExtensions).toEqual([...videoFileTypes])
  const images = 'image/jpeg,image/png,image/webp,image/gif,image/tiff,image/avif'
  expect([formatAcceptAttribute(false), formatAcceptAttribute(true)]).toEqual([images, `${images},video/*`])
})

test('rejects HEIC, empty files and other types before sending; does not reject other files before sending', () => {
  expect(rejectedBeforeUpload(file('IMG_1.HEIC'))).toBe('heic')
  expect(rejectedBeforeUpload(file('IMG_1', { type: 'image/heic' }))).toBe('heic')
  expect(rejectedBeforeUpload(file('a.jpg', { size: 0 }))).toBe('empty')
  expect(rejectedBeforeUpload(file('letter.pdf', { type: 'application/pdf' }))).toBe('type')
  expect(rejectedBeforeUpload(file('noending'))).toBe('type')
  expect(rejectedBeforeUpload(file('a.JPG'))).toBeNull()
  expect(rejectedBeforeUpload(file('a.b.mov'))).toBeNull()
  expect(rejectedBeforeUpload(file('image', { type: 'image/jpeg' }))).toBeNull()
})

test('adds the extension of the type to a name without a known one', () => {
  const jpeg = { type: 'image/jpeg' }
  expect(getUploadName(file('1000012345', jpeg))).toBe('1000012345.jpeg')
  expect(getUploadName(file('saved.jfif', jpeg))).toBe('saved.jfif.jpeg')
  expect(getUploadName(file('a.JPG', { type: 'image/png' }))).toBe('a.JPG')
  expect(getUploadName(file('a.raw'))).toBe('a.raw')
})

test('identifies a file by name, size and modification time', () => {
  expect(getFileKey(file('a.jpg'))).toBe(getFileKey(file('a.jpg', { type: 'image/jpeg' })))
  expect(getFileKey(file('a.jpg'))).not.toBe(getFileKey(file('a.jpg', { lastModified: 2 })))
})

test('recognizes files that operating systems leave in folders', () => {
  const junk = ['.DS_Store', 'a/._IMG_1.jpg', 'a/b/Thumbs.db', 'desktop.ini', '__MACOSX/a/IMG_1.jpg']
  const photos = ['a/IMG_1.jpg', 'thumbs.db.jpg', 'my.__MACOSX/1.jpg']
  expect([junk.map(isSystemFile), photos.map(isSystemFile)]).toEqual([junk.map(() => true), photos.map(() => false)])
})
