import { readdir } from 'node:fs/promises'
import type { Exif } from 'sharp'
import { expect, test } from 'vitest'
import { createImageFile, plainPicture } from '../../../tests/support/media/image-files.ts'
import { readCaptureTime } from './capture-time.ts'
import { readCamera } from './read-camera.ts'

async function captureTimeOf(tags: Exif['IFD2']): Promise<string | null> {
  const jpeg = await plainPicture(60, 40)
    .withExif(tags ? { IFD2: tags } : {})
    .jpeg()
    .toBuffer()
  const time = await readCaptureTime(await createImageFile(jpeg))
  return time === null ? null : new Date(time).toISOString()
}

test('is the time on the clock of the camera, with an offset and without', async () => {
  for (const offset of [{}, { OffsetTimeOriginal: '+02:00' }]) {
    expect(await captureTimeOf({ DateTimeOriginal: '2024:05:04 10:20:30', ...offset })).toBe('2024-05-04T10:20:30.000Z')
  }
})

test('uses the time of digitizing only when the time of taking is missing', async () => {
  expect(await captureTimeOf({ DateTimeDigitized: '2024:05:04 10:20:30' })).toBe('2024-05-04T10:20:30.000Z')
  const both = { DateTimeOriginal: '2024:05:04 10:20:30', DateTimeDigitized: '2025:01:01 00:00:00' }
  expect(await captureTimeOf(both)).toBe('2024-05-04T10:20:30.000Z')
})

test.each(['0000:00:00 00:00:00', '    :  :     :  :  ', 'yesterday', '2024:13:41 10:20:30', '2024:05:04 99:99:99'])(
  'ignores an invalid time such as %j',
  async (written) => {
    expect(await captureTimeOf({ DateTimeOriginal: written })).toBeNull()
  },
)

test('returns null for a file without metadata and for other files', async () => {
  expect(await captureTimeOf(undefined)).toBeNull()
  expect(await readCaptureTime(await createImageFile(await plainPicture(6, 4).png().toBuffer()))).toBeNull()
  expect(await readCaptureTime(await createImageFile('no image'))).toBeNull()
  expect(await readCaptureTime(await createImageFile(''))).toBeNull()
})

test.runIf(process.platform === 'linux')('leaves no file open that cannot be read', async () => {
  const whole = await plainPicture(60, 40)
    .withExif({ IFD2: { DateTimeOriginal: '2024:05:04 10:20:30' } })
    .jpeg()
    .toBuffer()
  const heicHeader = Buffer.from('0000001866747970686569630000000068656963', 'hex')
  const broken = [
    '',
    'no image',
    'II*\0',
    whole.subarray(0, 30),
    whole.subarray(0, 3),
    Buffer.from('89504e470d0a1a0a', 'hex'),
    heicHeader,
  ]
  const countOpen = async () => (await readdir('/proc/self/fd')).length
  const paths = await Promise.all(broken.map(createImageFile))
  const before = await countOpen()
  for (let round = 0; round < 5; round++) {
    for (const path of paths) {
      await readCaptureTime(path)
      await readCamera(path)
    }
  }
  await expect.poll(countOpen).toBeLessThanOrEqual(before)
})
