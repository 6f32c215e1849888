import { expect, test } from 'vitest'
import { findLeftOutReason, getAcceptAttribute, parseAcceptedTypes } from './accepted-types.ts'

const settings = {
  general_allowed_file_types: 'jpeg, png,mp4',
  general_max_file_size_mb: 1,
  general_max_video_size_mb: 2,
  general_read_culling_marks: false,
}
const acceptedTypes = parseAcceptedTypes(settings)
const file = (name: string, size = 1000, type = '') => ({ name, size, type, lastModified: 1 })

test('rejects file types that the settings do not allow, and treats jpg and jpeg alike', () => {
  const names = ['a.jpg', 'a.JPEG', 'a.png', 'a.mp4', 'a.tiff', 'a.cr3', 'a.HEIC', 'a.hif', 'noending']
  const reasons = names.map((name) => findLeftOutReason(file(name), acceptedTypes))
  expect(reasons).toEqual([null, null, null, null, 'type', 'raw', 'heic', 'heic', 'type'])
  expect(findLeftOutReason(file('1000012345', 1000, 'image/jpeg'), acceptedTypes)).toBeNull()
  expect(getAcceptAttribute(acceptedTypes)).toBe('.jpeg,.png,.mp4,.jpg')
  expect(findLeftOutReason(file('1000012345', 1000, 'image/heic'), acceptedTypes)).toBe('heic')
  const converting = parseAcceptedTypes({ ...settings, general_allowed_file_types: 'heic,nef' })
  const converted = ['a.hif', 'a.NEF', 'a.cr2'].map((name) => findLeftOutReason(file(name), converting))
  expect(converted).toEqual([null, null, 'raw'])
  const withSidecars = parseAcceptedTypes({ ...settings, general_read_culling_marks: true })
  expect(getAcceptAttribute(withSidecars)).toBe('.jpeg,.png,.mp4,.jpg,.xmp')
})

test('has a separate reason for videos that the settings do not allow', () => {
  const reasons = ['a.mov', 'a.WEBM', 'a.mp4'].map((name) => findLeftOutReason(file(name), acceptedTypes))
  expect(reasons).toEqual(['video', 'video', null])
})

test('rejects empty files and files that are too large for their type', () => {
  const mib = 2 ** 20
  expect(findLeftOutReason(file('a.jpg', 0), acceptedTypes)).toBe('empty')
  for (const [name, max] of Object.entries({ 'a.jpg': mib, 'a.mp4': 2 * mib })) {
    const reasons = [max, max + 1].map((size) => findLeftOutReason(file(name, size), acceptedTypes))
    expect(reasons).toEqual([null, 'large'])
  }
})

test('accepts all supported types without the settings', () => {
  const names = ['a.tiff', 'a.mov', 'a.cr3', 'a.heic', 'a.pdf']
  expect(names.map((name) => findLeftOutReason(file(name, 1e12), null))).toEqual([null, null, null, null, 'type'])
})
