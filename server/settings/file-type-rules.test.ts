import { expect, test } from 'vitest'
import { type SettingValues, settingDefaults } from '../../contract/settings.ts'
import type { ImageKind } from '../platform/media/image-kinds.ts'
import { isDecodable, isKindAllowed, isVideoKindAllowed, multipartFileBytes } from './file-type-rules.ts'

const kinds: ImageKind[] = ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif', 'heic']
const allowing = (types: string): SettingValues => ({ ...settingDefaults, general_allowed_file_types: types })
const allowedBy = (types: string): ImageKind[] => kinds.filter((kind) => isKindAllowed(kind, allowing(types)))

test.each<[string, ImageKind[]]>([
  [settingDefaults.general_allowed_file_types, ['jpeg', 'png', 'webp']],
  ['jpg', ['jpeg']],
  ['jpeg', ['jpeg']],
  [' PNG , gif ', ['png', 'gif']],
  ['tiff,avif', ['tiff', 'avif']],
])('the allowed kinds of images for the setting %j are %j', (types, allowed) => {
  expect(allowedBy(types)).toEqual(allowed)
})

test('the allowed kinds of images never include kinds that this instance cannot decode', () => {
  expect(kinds.filter((kind) => !isDecodable(kind))).toEqual(['heic'])
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
