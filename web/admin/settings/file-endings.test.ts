import { expect, test } from 'vitest'
import { imageFileTypes, settingDefaults, videoFileTypes } from '../../../contract/settings.ts'
import { plainEndings, unknownEndings } from './file-endings.ts'

test.each([
  ['.mov', 'mov'],
  ['jpg, PNG', 'jpg,png'],
  [' *.jpg;.MOV  webp,, jpg ', 'jpg,mov,webp'],
  [settingDefaults.general_allowed_file_types, settingDefaults.general_allowed_file_types],
  [' , ', ''],
])('%j is normalized to %j', (written, plain) => {
  expect(plainEndings(written)).toBe(plain)
})

test('exactly the extensions of the service are known', () => {
  expect(unknownEndings([...imageFileTypes, ...videoFileTypes].join())).toEqual([])
  expect(unknownEndings('jpg, .EXE, constructor, cr3')).toEqual(['exe', 'constructor', 'cr3'])
})
