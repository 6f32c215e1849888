import { expect, test } from 'vitest'
import { plainPicture } from '../../../../tests/support/media/image-files.ts'
import { box, typeBox } from '../../../../tests/support/media/movie-boxes.ts'
import { createRawFile, createTiff, rawFile, rawLayouts } from '../../../../tests/support/media/raw-files.ts'
import { detectRawKind } from './detect-raw-kind.ts'

const detect = (bytes: Buffer) => detectRawKind(async (at, length) => bytes.subarray(at, at + length), bytes.length)

test.for(rawLayouts)('$kind with its picture in $layout', async (layout) => {
  expect(await detect(await createRawFile(layout))).toBe(layout.kind)
})

/** A picture of 4 × 4 pixels with three values each, or the values of a sensor. */
const tiffOf = (make: string, photometric: number): Buffer =>
  createTiff([
    [
      [0x0100, 4],
      [0x0101, 4],
      [0x0103, { short: 1 }],
      [0x0106, { short: photometric }],
      [0x010f, make],
      [0x0111, { offsetOf: Buffer.alloc(48) }],
      [0x0117, 48],
    ],
  ])

test.for(['NIKON CORPORATION', 'SONY', 'PENTAX', 'RICOH IMAGING COMPANY, LTD.'])(
  'a TIFF that a program has exported from a file of %s is no raw file',
  async (make) => {
    expect(await detect(tiffOf(make, 2))).toBeNull()
    expect(await detect(tiffOf(make, 32_803))).not.toBeNull()
  },
)

test.for([
  ['a JPEG', () => plainPicture(60, 40).jpeg().toBuffer()],
  ['a PNG', () => plainPicture(60, 40).png().toBuffer()],
  ['a TIFF with JPEG', () => plainPicture(60, 40).tiff({ compression: 'jpeg' }).toBuffer()],
  ['a TIFF with the values of a sensor and of another maker', () => tiffOf('Maker', 32_803)],
  ['a TIFF without a maker', () => rawFile('2026:06:13 14:30:20')],
  ['a HEIC', () => Buffer.concat([typeBox('heic'), box('meta', Buffer.alloc(40))])],
  ['an empty file', () => Buffer.alloc(0)],
] as const)('%s is no raw file', async ([, create]) => {
  expect(await detect(await create())).toBeNull()
})
