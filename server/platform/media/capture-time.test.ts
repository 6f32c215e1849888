import type { Exif } from 'sharp'
import { expect, test } from 'vitest'
import { imageFile, plainPicture } from '../../../tests/support/image-files.ts'
import { readCaptureTime } from './capture-time.ts'

async function captureTimeOf(tags: Exif['IFD2']): Promise<string | null> {
  const jpeg = await plainPicture(60, 40)
    .withExif(tags ? { IFD2: tags } : {})
    .jpeg()
    .toBuffer()
  const time = await readCaptureTime(await imageFile(jpeg))
  return time === null ? null : new Date(time).toISOString()
}

test("the camera's time is read as UTC where it names no zone", async () => {
  expect(await captureTimeOf({ DateTimeOriginal: '2024:05:04 10:20:30' })).toBe('2024-05-04T10:20:30.000Z')
})

test('the zone counts where the camera names one', async () => {
  const tags = { DateTimeOriginal: '2024:05:04 10:20:30', OffsetTimeOriginal: '+02:00' }
  expect(await captureTimeOf(tags)).toBe('2024-05-04T08:20:30.000Z')
})

test.each([
  ['+05:30', '2024-05-04T04:50:30.000Z'],
  ['-03:30', '2024-05-04T13:50:30.000Z'],
])('the zone %s, which is not a whole number of hours, counts too', async (OffsetTimeOriginal, time) => {
  expect(await captureTimeOf({ DateTimeOriginal: '2024:05:04 10:20:30', OffsetTimeOriginal })).toBe(time)
})

test('the moment of digitising stands in for a missing moment of taking, and never wins over it', async () => {
  expect(await captureTimeOf({ DateTimeDigitized: '2024:05:04 10:20:30' })).toBe('2024-05-04T10:20:30.000Z')
  const both = { DateTimeOriginal: '2024:05:04 10:20:30', DateTimeDigitized: '2025:01:01 00:00:00' }
  expect(await captureTimeOf(both)).toBe('2024-05-04T10:20:30.000Z')
})

test.each(['0000:00:00 00:00:00', '    :  :     :  :  ', 'yesterday', '2024:13:41 10:20:30', '2024:05:04 99:99:99'])(
  'nonsense such as %j is no time',
  async (written) => {
    expect(await captureTimeOf({ DateTimeOriginal: written })).toBeNull()
  },
)

test('a file without such data, or one that is no image, has none', async () => {
  expect(await captureTimeOf(undefined)).toBeNull()
  expect(await readCaptureTime(await imageFile(await plainPicture(6, 4).png().toBuffer()))).toBeNull()
  expect(await readCaptureTime(await imageFile('no image'))).toBeNull()
  expect(await readCaptureTime(await imageFile(''))).toBeNull()
})
