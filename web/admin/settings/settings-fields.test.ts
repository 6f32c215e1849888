import { expect, test } from 'vitest'
import { convertedFileTypes, imageFileTypes, videoFileTypes } from '../../../contract/files/file-types.ts'
import { settingDefaults, settingShapes } from '../../../contract/settings.ts'
import {
  diffSettings,
  fileTypes,
  isSettingPage,
  listFileTypes,
  listGroups,
  type SettingPage,
  settingPages,
} from './settings-fields.ts'

const pages = Object.keys(settingPages) as SettingPage[]
const fields = pages.flatMap((page) => listGroups(page).flatMap(([, some]) => some))

test('every setting has one field, except for the branding and the packages, which have forms of their own', () => {
  const fieldKeys = fields.map(({ key }) => key)
  const others = Object.keys(settingShapes).filter((key) => !/^branding_|^event_package_presets$/.test(key))
  expect(fieldKeys.toSorted()).toEqual(others.sort())
})

test.each(fields)('the field of $key has the bounds of the contract', (field) => {
  const shape = settingShapes[field.key as keyof typeof settingShapes] as unknown as Record<string, unknown>
  const options = (shape.anyOf as Array<Record<string, unknown>> | undefined) ?? [shape]
  const values = options.flatMap(({ const: value, enum: several }) => several ?? value ?? [])
  if (field.kind === 'number')
    expect(options).toContainEqual(expect.objectContaining({ minimum: field.min, maximum: field.max }))
  if (field.kind === 'text') expect(options).toContainEqual(expect.objectContaining({ maxLength: field.maxLength }))
  if (field.kind === 'choice') expect(values.toSorted()).toEqual(field.choices.toSorted())
})

test('only changed values are sent', () => {
  const files = settingPages.general.files
  const form = new FormData()
  form.set('general_allowed_file_types', settingDefaults.general_allowed_file_types)
  form.set('general_max_file_size_mb', '80')
  form.set('general_max_video_size_mb', String(settingDefaults.general_max_video_size_mb))
  expect(diffSettings(form, files, settingDefaults)).toEqual({ general_max_file_size_mb: 80 })
})

test('file types are sent as extensions, and not if only their spelling or order differs', () => {
  const form = new FormData()
  for (const extensions of ['jpg,jpeg', 'png', 'mov']) form.append('general_allowed_file_types', extensions)
  form.set('general_max_file_size_mb', String(settingDefaults.general_max_file_size_mb))
  form.set('general_max_video_size_mb', String(settingDefaults.general_max_video_size_mb))
  const changes = (types: string) =>
    diffSettings(form, settingPages.general.files, { ...settingDefaults, general_allowed_file_types: types })
  expect(changes('jpg')).toEqual({ general_allowed_file_types: 'jpg,jpeg,png,mov' })
  expect(changes('mov, PNG, jpeg')).toEqual({})
})

test('a switch missing in the form is off, and an empty size is null', () => {
  const form = new FormData()
  form.set('event_default_watermark_downloads', 'on')
  form.set('event_default_download_max_px', '')
  const now = { ...settingDefaults, event_default_download_max_px: 2048 }
  expect(diffSettings(form, settingPages.events.downloads, now)).toEqual({
    event_default_allow_downloads: false,
    event_default_watermark_downloads: true,
    event_default_strip_location: false,
    event_default_download_max_px: null,
  })
})

test('an inherited property of the object is not a page', () => {
  expect(['general', 'constructor', 'branding', ''].filter(isSettingPage)).toEqual(['general'])
})

test('exactly the extensions of the service can be chosen', () => {
  const all = [...imageFileTypes, ...convertedFileTypes, ...videoFileTypes]
  const chosen = Object.values(fileTypes).flatMap((types) => types.flatMap(({ extensions }) => extensions))
  expect(chosen.toSorted()).toEqual(all.toSorted())
  expect(listFileTypes('jpeg, WEBM').map(({ label }) => label)).toEqual(['JPEG', 'WebM'])
})
