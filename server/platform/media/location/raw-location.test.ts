import { expect, test } from 'vitest'
import { city } from '../../../../tests/support/media/pictures-with-location.ts'
import {
  createRawFile,
  createTiff,
  rawFacts,
  rawLayouts,
  readRawFacts,
} from '../../../../tests/support/media/raw-files.ts'
import { detectRawKind, type RawKind } from '../raw/detect-raw-kind.ts'
import { findRawPicture } from '../raw/find-raw-picture.ts'
import type { ReadAt } from '../read-at.ts'
import { EditedFile } from './edited-file.ts'
import { clearRaw } from './raw-location.ts'

const readBytes =
  (bytes: Buffer): ReadAt =>
  async (at, length) =>
    bytes.subarray(at, at + length)

async function clear(bytes: Buffer, kind: RawKind) {
  const file = new EditedFile(readBytes(Buffer.from(bytes)), bytes.length)
  const isCleared = await clearRaw(file, kind)
  const patched = Buffer.from(bytes)
  for (const { at, bytes: others } of file.changes().patches) others.copy(patched, at)
  return { isCleared, patched }
}

/** Returns the number of city names and latitudes in the file. */
function countLocations(bytes: Buffer): number {
  const latitudes = [Buffer.from([0, 0, 0x11, 0xd7, 0, 0, 0, 100]), Buffer.from([0xd7, 0x11, 0, 0, 100, 0, 0, 0])]
  return [Buffer.from(city), ...latitudes].reduce((sum, place) => {
    let count = 0
    for (let at = bytes.indexOf(place); at >= 0; at = bytes.indexOf(place, at + 1)) count++
    return sum + count
  }, 0)
}

test.for(rawLayouts)('$kind with its picture in $layout loses all locations and nothing else', async (layout) => {
  const { kind } = layout
  const bytes = await createRawFile(layout, { isLocated: true })
  expect(countLocations(bytes)).toBeGreaterThan(3)

  const { isCleared, patched } = await clear(bytes, kind)
  expect(isCleared).toBe(true)
  expect(countLocations(patched)).toBe(0)
  expect(patched.toString('latin1')).not.toMatch(/exif:GPS|LocationShown/)
  expect(patched.toString('latin1')).toMatch(/xmp:Rating="4"/)
  expect(await detectRawKind(readBytes(patched), patched.length)).toBe(kind)
  expect(await readRawFacts(patched, kind)).toMatchObject(rawFacts)
  expect(await findRawPicture(readBytes(patched), patched.length, kind)).toEqual(
    await findRawPicture(readBytes(bytes), bytes.length, kind),
  )
})

test.for(rawLayouts)('$kind with its picture in $layout and without a location is not changed', async (layout) => {
  const bytes = await createRawFile(layout)
  const { isCleared, patched } = await clear(bytes, layout.kind)
  expect([isCleared, patched.equals(bytes)]).toEqual([true, true])
})

test('a DNG with the original raw file inside cannot be cleared', async () => {
  const bytes = createTiff([[[0xc68c, Buffer.alloc(100)]]])
  expect((await clear(bytes, 'dng')).isCleared).toBe(false)
})

test.for(['raf', 'cr3', 'nef'] as const)('a file that is not %s cannot be cleared', async (kind) => {
  expect((await clear(Buffer.alloc(500, 3), kind)).isCleared).toBe(false)
})

test('a file with more directories than are read cannot be cleared', async () => {
  const directories = Array.from({ length: 70 }, () => [])
  expect((await clear(createTiff(directories), 'nef')).isCleared).toBe(false)
})
