import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { convertedFileTypes, imageFileTypes, videoFileTypes } from '../../contract/files/file-types.ts'
import { type SettingValues, settingDefaults, settingShapes } from '../../contract/settings.ts'
import type { ImageKind } from '../platform/media/image-kinds.ts'
import {
  createNotAllowedError,
  findExtensionError,
  isKindAllowed,
  isVideoKindAllowed,
  multipartFileBytes,
} from './file-type-rules.ts'

const kinds: ImageKind[] = ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif', 'heic', 'cr3', 'dng']
const allowing = (types: string): SettingValues => ({ ...settingDefaults, general_allowed_file_types: types })
const allowedBy = (types: string): ImageKind[] => kinds.filter((kind) => isKindAllowed(kind, allowing(types)))

test('the extension tif is that of tiff', () => {
  expect(findExtensionError('a.TIF', allowing('tiff'))).toBeNull()
})

test.each<[string, ImageKind[]]>([
  [settingDefaults.general_allowed_file_types, ['jpeg', 'png', 'webp']],
  ['jpg', ['jpeg']],
  ['jpeg', ['jpeg']],
  [' PNG , gif ', ['png', 'gif']],
  ['tiff,avif', ['tiff', 'avif']],
  ['heic', ['heic']],
  ['heif', ['heic']],
  ['CR3,dng', ['cr3', 'dng']],
])('the allowed kinds of images for the setting %j are %j', (types, allowed) => {
  expect(allowedBy(types)).toEqual(allowed)
})

test.each([
  ['IMG_1.HIF', 'heif', true],
  ['IMG_1.jpeg', 'jpg', true],
  ['IMG_1.NEF', 'nef', true],
  ['IMG_1.NEF', 'tiff', false],
])('%s for the setting %j is allowed: %s', (name, types, isAllowed) => {
  expect(findExtensionError(name, allowing(types)) === null).toBe(isAllowed)
})

test('the error for a RAW or HEIC file names the setting', () => {
  const text = 'HEIC files are not allowed. The setting general_allowed_file_types can allow them (heic).'
  expect(createNotAllowedError('heif').message).toBe(text)
  expect(createNotAllowedError('gif').message).toBe('File type not allowed')
})

test('all types can be allowed', () => {
  const all = [...imageFileTypes, ...convertedFileTypes, ...videoFileTypes]
  for (const types of [all.join(', '), 'nef']) {
    expect(Value.Check(settingShapes.general_allowed_file_types, types)).toBe(true)
  }
})

test.each([
  [settingDefaults.general_allowed_file_types, []],
  ['mp4', ['mp4', 'm4v']],
  ['m4v', ['mp4', 'm4v']],
  ['jpg, MOV,webm', ['mov', 'webm']],
  ['avi', ['avi']],
])('the allowed kinds of videos for the setting %j are %j', (types, allowed) => {
  const kinds = ['mp4', 'm4v', 'mov', 'webm', 'avi'] as const
  expect(kinds.filter((kind) => isVideoKindAllowed(kind, allowing(types)))).toEqual(allowed)
})

test.each([
  [100, 104_857_600],
  [1, 1_048_576],
  [99, 103_809_024],
  [100_000, 104_857_600],
])('the setting of %i MB allows %i bytes, at most the fixed 100 MB', (megabytes, bytes) => {
  expect(multipartFileBytes({ ...settingDefaults, general_max_file_size_mb: megabytes })).toBe(bytes)
})
