import sharp from 'sharp'
import { expect, test } from 'vitest'
import { must } from '../../../../contract/must.ts'
import { jpeg } from '../../../../tests/support/media/pictures.ts'
import {
  createRawFile,
  createTiff,
  rawFacts,
  rawLayouts,
  rawOrientation,
  rawPictureSize,
  readRawFacts,
} from '../../../../tests/support/media/raw-files.ts'
import type { ReadAt } from '../read-at.ts'
import { findRawPicture } from './find-raw-picture.ts'

const readBytes =
  (bytes: Buffer): ReadAt =>
  async (at, length) =>
    bytes.subarray(at, at + length)

test.for(rawLayouts)('the largest picture of $kind is in $layout', async (layout) => {
  const bytes = await createRawFile(layout)
  const found = must(await findRawPicture(readBytes(bytes), bytes.length, layout.kind), 'picture')
  const size = rawPictureSize(layout)
  expect(found).toMatchObject({ ...size, format: layout.format, orientation: rawOrientation })
  const data = bytes.subarray(found.at, found.at + found.length)
  if (found.format === 'jpeg') expect(await sharp(data, { failOn: 'warning' }).metadata()).toMatchObject(size)
  else expect([data.readUInt32BE(0), found.extradata.length]).toEqual([data.length - 4, 60])
})

test.for(rawLayouts)('the facts of $kind with its picture in $layout', async (layout) => {
  const bytes = await createRawFile(layout)
  const facts = await readRawFacts(bytes, layout.kind)
  expect(facts).toMatchObject(rawFacts)
  expect(facts.camera.camera).toMatch(/ One$/)
})

test.for(rawLayouts)('$kind without its end has no picture in $layout, or another one', async (layout) => {
  const bytes = await createRawFile(layout)
  for (const length of [0, 7, 100, Math.floor(bytes.length / 2)]) {
    const found = await findRawPicture(readBytes(bytes.subarray(0, length)), length, layout.kind)
    expect(found === null || found.at + found.length <= length).toBe(true)
  }
})

test('a file with many pictures is read until the limits', async () => {
  const segment = Buffer.concat([Buffer.from([0xff, 0xe2, 0x20, 0]), Buffer.alloc(0x1ffe)])
  const picture = await jpeg()
  const long = Buffer.concat([picture.subarray(0, 2), ...Array.from({ length: 9 }, () => segment), picture.subarray(2)])
  const bytes = createTiff(
    Array.from({ length: 60 }, () => [
      [0x0201, { offsetOf: long }],
      [0x0202, long.length],
    ]),
  )
  let [reads, readBytes] = [0, 0]
  const found = await findRawPicture(
    async (at, length) => {
      reads++
      readBytes += length
      return bytes.subarray(at, at + length)
    },
    bytes.length,
    'pef',
  )
  expect(found).toMatchObject({ width: 60, height: 40, orientation: null })
  expect([reads, readBytes <= 2 ** 20]).toEqual([256, true])
})
