import { expect, test } from 'vitest'
import { acceptedEndings, leaveOut, takenKinds } from './taken-kinds.ts'

const settings = {
  general_allowed_file_types: 'jpeg, png,mp4',
  general_max_file_size_mb: 1,
  general_max_video_size_mb: 2,
}
const taken = takenKinds(settings)
const file = (name: string, size = 1000, type = '') => ({ name, size, type, lastModified: 1 })

test('what the settings do not let in is left out, jpg and jpeg mean each other', () => {
  const names = ['a.jpg', 'a.JPEG', 'a.png', 'a.mp4', 'a.tiff', 'a.cr3', 'a.heic', 'noending']
  expect(names.map((name) => leaveOut(file(name), taken))).toEqual([
    null,
    null,
    null,
    null,
    'type',
    'type',
    'heic',
    'type',
  ])
  expect(leaveOut(file('1000012345', 1000, 'image/jpeg'), taken)).toBeNull()
  expect(acceptedEndings(taken)).toBe('.jpeg,.png,.mp4,.jpg')
})

test('a video that the settings do not let in has a reason of its own', () => {
  expect(['a.mov', 'a.WEBM', 'a.mp4'].map((name) => leaveOut(file(name), taken))).toEqual(['video', 'video', null])
})

test('empty files and those that are too large for their kind are left out', () => {
  const mib = 2 ** 20
  expect(leaveOut(file('a.jpg', 0), taken)).toBe('empty')
  expect([mib, mib + 1].map((size) => leaveOut(file('a.jpg', size), taken))).toEqual([null, 'large'])
  expect([2 * mib, 2 * mib + 1].map((size) => leaveOut(file('a.mp4', size), taken))).toEqual([null, 'large'])
})

test('without the settings everything that the service can take is for it to check', () => {
  expect(['a.tiff', 'a.mov'].map((name) => leaveOut(file(name, 1e12), null))).toEqual([null, null])
  expect(leaveOut(file('a.cr3'), null)).toBe('type')
})
