import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { captureTimeBytes, isSameTime, readCaptureTime } from './capture-times.ts'
import { findReplaceable } from './find-replaceable.ts'

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

describe('findReplaceable', () => {
  const photo = (id: number, time: number | null) => ({
    id,
    captured_at: time === null ? null : new Date(time).toISOString(),
  })
  const find = (photos: Array<ReturnType<typeof photo>>, time: number | null, is_exact = true) =>
    Object.values(findReplaceable({ photos, is_exact }, time))

  test('a photo of another time is probably another one; an unknown time says nothing', () => {
    expect(find([photo(1, taken)], taken)).toEqual(['sameName', 1])
    expect(find([photo(1, taken)], taken, false)).toEqual(['similarName', 1])
    expect(find([photo(1, taken)], taken + 1000)).toEqual(['otherTime', 1])
    expect(find([photo(1, taken)], null)).toEqual(['sameName', 1])
    expect(find([photo(1, null)], taken)).toEqual(['sameName', 1])
  })

  test('of several photos, only one of the same time can be replaced', () => {
    const several = [photo(1, taken), photo(2, taken + 1000), photo(3, null)]
    expect(find(several, taken + 1000)).toEqual(['sameName', 2])
    expect(find(several, taken + 2000)).toEqual(['severalNames', null])
    expect(find(several, null)).toEqual(['severalNames', null])
    expect(find([photo(1, taken), photo(2, taken)], taken)).toEqual(['severalNames', null])
    expect(find([], taken)).toEqual(['severalNames', null])
  })
})
