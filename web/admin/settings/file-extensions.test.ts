import { expect, test } from 'vitest'
import { imageFileTypes, settingDefaults, videoFileTypes } from '../../../contract/settings.ts'
import { findUnknownExtensions, normalizeExtensions } from './file-extensions.ts'

test.each([
  ['.mov', 'mov'],
  ['jpg, PNG', 'jpg,png'],
  [' *.jpg;.MOV  webp,, jpg ', 'jpg,mov,webp'],
  [settingDefaults.general_allowed_file_types, settingDefaults.general_allowed_file_types],
  [' , ', ''],
])('%j is normalized to %j', (input, normalized) => {
  expect(normalizeExtensions(input)).toBe(normalized)
})

test('exactly the extensions of the service are known', () => {
  expect(findUnknownExtensions([...imageFileTypes, ...videoFileTypes].join())).toEqual([])
  expect(findUnknownExtensions('jpg, .EXE, constructor, cr3')).toEqual(['exe', 'constructor', 'cr3'])
})
