import { describe, expect, test } from 'vitest'
import { type SettingValues, settingDefaults } from '../../contract/settings.ts'
import { catchErrorCode } from '../../tests/support/clients/app-errors.ts'
import { AppError } from '../platform/app-error.ts'
import type { ImageHeader, ImageKind } from '../platform/media/image-header.ts'
import { assertDeclaredType, validateImage } from './photo-rules.ts'

const everyKind: SettingValues = { ...settingDefaults, general_allowed_file_types: 'jpg,png,webp,gif,tiff,avif' }
const header = (change: Partial<ImageHeader> = {}): ImageHeader => ({
  kind: 'jpeg',
  width: 6000,
  height: 4000,
  isFullyBuffered: false,
  ...change,
})
const codeFor = (image: ImageHeader | null, settings = everyKind) =>
  catchErrorCode(() => validateImage(image, settings))

function kindsFor(image: ImageHeader): unknown {
  try {
    return validateImage(image, everyKind)
  } catch (error) {
    return error instanceof AppError && (error.extras.details ?? []).map(({ kind }) => kind)
  }
}

describe('the declared type of a file', () => {
  test.each(['image/jpeg', 'image/png', 'IMAGE/JPEG', 'image/x-whatever', 'image/svg+xml'])('accepts %s', (type) => {
    expect(catchErrorCode(() => assertDeclaredType(type))).toBeNull()
  })

  test.each(['', 'text/html', 'application/octet-stream', 'video/mp4', 'x-image/jpeg', 'image', 'text/image/jpeg'])(
    'rejects %j',
    (type) => {
      expect(catchErrorCode(() => assertDeclaredType(type))).toBe('UNSUPPORTED_MEDIA_TYPE')
    },
  )
})

describe('validateImage', () => {
  test('accepts an image of an allowed kind', () => {
    expect(validateImage(header(), settingDefaults)).toEqual(header())
  })

  test('rejects a file that is not an image', () => {
    expect(codeFor(null)).toBe('UNSUPPORTED_MEDIA_TYPE')
  })

  test.each<[ImageKind, string | null]>([
    ['jpeg', null],
    ['png', null],
    ['webp', null],
    ['gif', 'FILE_TYPE_NOT_ALLOWED'],
    ['tiff', 'FILE_TYPE_NOT_ALLOWED'],
    ['avif', 'FILE_TYPE_NOT_ALLOWED'],
    ['heic', 'UNSUPPORTED_MEDIA_TYPE'],
  ])('returns for the kind %s with default settings: %s', (kind, code) => {
    expect(codeFor(header({ kind }), settingDefaults)).toBe(code)
  })

  test('accepts a kind that the settings allow', () => {
    expect(codeFor(header({ kind: 'tiff', width: null, height: null, isFullyBuffered: true }))).toBeNull()
  })
})

describe('the size of a picture', () => {
  test.each<[string, Partial<ImageHeader>, string | null]>([
    ['of the most pixels', { width: 16_383, height: 16_383 }, null],
    ['of one row more', { width: 16_383, height: 16_384 }, 'UNREADABLE_IMAGE'],
    ['without width', { width: 0 }, 'UNREADABLE_IMAGE'],
    ['without height', { height: 0 }, 'UNREADABLE_IMAGE'],
    ['of a progressive camera picture', { isFullyBuffered: true }, null],
    [
      'of a progressive picture that 300 MB do not hold',
      { width: 12_000, height: 9000, isFullyBuffered: true },
      'UNREADABLE_IMAGE',
    ],
    ['of the same picture, baseline', { width: 12_000, height: 9000 }, null],
    [
      'of a large interlaced PNG',
      { kind: 'png', width: 10_000, height: 10_000, isFullyBuffered: true },
      'UNREADABLE_IMAGE',
    ],
    ['that the header does not contain', { kind: 'avif', width: null, height: null, isFullyBuffered: true }, null],
  ])('%s', (_name, change, code) => {
    expect(codeFor(header(change))).toBe(code)
  })

  test('reports an excessive size with its own kind', () => {
    expect(kindsFor(header({ width: 20_000, height: 14_000 }))).toEqual(['too_many_pixels'])
    expect(kindsFor(header({ width: 0 }))).toEqual([])
  })
})
