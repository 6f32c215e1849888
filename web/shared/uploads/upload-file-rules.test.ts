import { expect, test } from 'vitest'
import { imageFileTypes, rawFileTypes, videoFileTypes } from '../../../contract/files/file-types.ts'
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

test('lists exactly the extensions that the service accepts, and tif', () => {
  expect(Object.keys(imageTypes).filter((type) => type !== 'tif')).toEqual([...imageFileTypes])
  expect(videoExtensions).toEqual([...videoFileTypes])
  const images = 'image/jpeg,image/png,image/webp,image/gif,image/tiff,image/avif'
  const none = { takes_videos: false, takes_heic: false, takes_raw: false }
  expect(formatAcceptAttribute(none)).toBe(images)
  expect(formatAcceptAttribute({ ...none, takes_videos: true })).toBe(`${images},video/*`)
  const heic = 'image/heif,.hif,.heif,image/heic,.heic'
  const raw = rawFileTypes.map((type) => `.${type}`).join(',')
  expect(formatAcceptAttribute({ ...none, takes_heic: true, takes_raw: true })).toBe(`${images},${heic},${raw}`)
})

test('rejects HEIC, RAW, empty files and other types before sending, and leaves other files to the service', () => {
  const taken = { takes_videos: false, takes_heic: false, takes_raw: false }
  const reasonOf = (name: string, options?: Parameters<typeof file>[1]) =>
    rejectedBeforeUpload(file(name, options), taken)
  const reasonsOfConverted = () => [
    ...['IMG_1.HEIC', 'a.hif', 'DSC_1.NEF', 'a.dng'].map((name) => reasonOf(name)),
    reasonOf('IMG_1', { type: 'image/heic' }),
  ]
  expect(reasonsOfConverted()).toEqual(['heic', 'heic', 'type', 'type', 'heic'])
  expect(reasonOf('a.jpg', { size: 0 })).toBe('empty')
  expect(reasonOf('letter.pdf', { type: 'application/pdf' })).toBe('type')
  expect(reasonOf('noending')).toBe('type')
  expect(reasonOf('a.JPG')).toBeNull()
  expect(reasonOf('a.b.mov')).toBeNull()
  expect(reasonOf('image', { type: 'image/jpeg' })).toBeNull()
  Object.assign(taken, { takes_heic: true, takes_raw: true })
  expect(reasonsOfConverted()).toEqual([null, null, null, null, null])
})

test('adds the extension of the type to a name without a known one', () => {
  const jpeg = { type: 'image/jpeg' }
  expect(getUploadName(file('1000012345', jpeg))).toBe('1000012345.jpeg')
  expect(getUploadName(file('saved.jfif', jpeg))).toBe('saved.jfif.jpeg')
  expect(getUploadName(file('a.JPG', { type: 'image/png' }))).toBe('a.JPG')
  expect(getUploadName(file('1000012346', { type: 'image/heic' }))).toBe('1000012346.heic')
  expect(getUploadName(file('a.NEF', jpeg))).toBe('a.NEF')
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
