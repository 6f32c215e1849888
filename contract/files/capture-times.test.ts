import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { captureTimeBytes, isSameTime, readCaptureTime } from './capture-times.ts'

const written = '2024:05:04 10:20:30'
const taken = Date.UTC(2024, 4, 4, 10, 20, 30)
const hour = 3_600_000

const createJpeg = (tags?: Record<string, string>): Promise<Buffer> =>
  sharp({ create: { width: 6, height: 4, channels: 3, background: 'teal' } })
    .withExif(tags ? { IFD2: tags } : {})
    .jpeg()
    .toBuffer()

describe('readCaptureTime', () => {
  test('reads the first bytes of JPEG and TIFF files, and the clock of the camera without its offset', async () => {
    const whole = await createJpeg({ DateTimeOriginal: written })
    expect(readCaptureTime(whole.subarray(0, captureTimeBytes))).toBe(taken)
    const tags = { DateTimeOriginal: written, OffsetTimeOriginal: '+02:00' }
    expect(readCaptureTime(await createJpeg(tags))).toBe(taken)
    // The Exif block of a JPEG has the structure of TIFF.
    expect(readCaptureTime(whole.subarray(whole.indexOf('Exif\0\0') + 6))).toBe(taken)
  })

  test('returns null for other files, and wherever the bytes end', async () => {
    const whole = await createJpeg({ DateTimeOriginal: written })
    for (const other of [await createJpeg(), Buffer.from('no image'), Buffer.from('II*\0'), Buffer.from('MM')]) {
      expect(readCaptureTime(other)).toBeNull()
    }
    for (let length = 0; length < whole.length; length++) {
      expect([null, taken], String(length)).toContain(readCaptureTime(whole.subarray(0, length)))
    }
    for (let at = 0; at < 300; at++)
      expect(() => readCaptureTime(Buffer.from(whole).fill(255, at, at + 4))).not.toThrow()
  })
})

test('times of two time zones are the same, unknown ones are not', () => {
  expect(isSameTime(taken, taken)).toBe(true)
  expect(isSameTime(taken, taken - 5.75 * hour)).toBe(true)
  expect(isSameTime(taken, taken + 1000)).toBe(false)
  expect(isSameTime(taken, taken + 24 * hour)).toBe(false)
  expect(isSameTime(null, null)).toBe(false)
})
