import { expect, test } from 'vitest'
import { type SettingValues, settingDefaults } from '../../contract/settings.ts'
import { catchErrorCode } from '../../tests/support/clients/app-errors.ts'
import type { ImageKind } from '../platform/media/image-kinds.ts'
import { acceptedImageKinds, assertDeclaredType, rejectedImageError } from './photo-rules.ts'

const everyKind: SettingValues = { ...settingDefaults, general_allowed_file_types: 'jpg,png,webp,gif,tiff,avif' }
test.each(['image/jpeg', 'image/png', 'IMAGE/JPEG', 'image/x-whatever', 'image/svg+xml'])(
  'the declared type of a file accepts %s',
  (type) => {
    expect(catchErrorCode(() => assertDeclaredType(type))).toBeNull()
  },
)

test.each(['', 'text/html', 'application/octet-stream', 'video/mp4', 'x-image/jpeg', 'image', 'text/image/jpeg'])(
  'the declared type of a file rejects %j',
  (type) => {
    expect(catchErrorCode(() => assertDeclaredType(type))).toBe('UNSUPPORTED_MEDIA_TYPE')
  },
)

test.each<[ImageKind, string | null]>([
  ['jpeg', null],
  ['png', null],
  ['webp', null],
  ['gif', 'FILE_TYPE_NOT_ALLOWED'],
  ['tiff', 'FILE_TYPE_NOT_ALLOWED'],
  ['avif', 'FILE_TYPE_NOT_ALLOWED'],
  ['heic', 'FILE_TYPE_NOT_ALLOWED'],
  ['dng', 'FILE_TYPE_NOT_ALLOWED'],
])('an image of the kind %s has with default settings the problem %s', (kind, code) => {
  expect(acceptedImageKinds(settingDefaults).includes(kind)).toBe(code === null)
  if (code) expect(rejectedImageError({ cause: 'kind', imageKind: kind }).code).toBe(code)
})

test('an image of a kind that the settings allow is accepted', () => {
  expect(acceptedImageKinds(everyKind)).toEqual(['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'])
})

test('an image is told from other files, from damage and from an excessive size', () => {
  expect(rejectedImageError({ cause: 'kind', imageKind: null }).code).toBe('UNSUPPORTED_MEDIA_TYPE')
  const [damaged, large] = (['damage', 'size'] as const).map((cause) => rejectedImageError({ cause, imageKind: 'png' }))
  expect([damaged?.code, large?.code]).toEqual(['UNREADABLE_IMAGE', 'UNREADABLE_IMAGE'])
  expect([damaged, large].map((error) => (error?.extras.details ?? []).map(({ kind }) => kind))).toEqual([
    [],
    ['too_many_pixels'],
  ])
})
