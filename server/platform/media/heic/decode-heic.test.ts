import sharp from 'sharp'
import { expect, test } from 'vitest'
import {
  codedItem,
  colorsProperty,
  createHeic,
  cropProperty,
  gridItems,
  type HeicItem,
  mirrorProperty,
  profileProperty,
  type Sample,
  turnProperty,
} from '../../../../tests/support/media/heic-files.ts'
import { plainPicture } from '../../../../tests/support/media/image-files.ts'
import { createExif } from '../write-exif.ts'
import { decodeHeic, encodeHeicJpeg } from './decode-heic.ts'

const decode = (items: HeicItem[]) => {
  const bytes = createHeic(items)
  return decodeHeic(async (at, length) => bytes.subarray(at, at + length), bytes.length)
}

const colors: [name: string, values: number[]][] = [
  ['red', [255, 0, 0]],
  ['lime', [0, 255, 0]],
  ['blue', [0, 0, 255]],
  ['white', [255, 255, 255]],
]

/** Returns the names of the colors in the middle of the four quarters, by rows. */
async function quarters(items: HeicItem[], known = colors): Promise<string> {
  const { picture, width, height } = await decode(items)
  const pixels = await picture.raw().toBuffer()
  expect(pixels.length).toBe(width * height * 3)
  const names = [0.25, 0.75].flatMap((down) =>
    [0.25, 0.75].map((across) => {
      const at = 3 * (Math.floor(height * down) * width + Math.floor(width * across))
      const isNear = (values: number[]) =>
        values.every((value, index) => Math.abs(value - (pixels[at + index] ?? 0)) < 6)
      return known.find(([, values]) => isNear(values))?.[0] ?? `${[...pixels.subarray(at, at + 3)]}`
    }),
  )
  return names.join(' ')
}

test.for<Sample>([
  'full-601',
  'limited-709',
  'unmarked-full-601',
  'ten-bits-2020',
  'ten-bits-422',
  'twelve-bits-444',
  'identity',
])('the colors of %s', async (sample) => {
  expect(await quarters([codedItem(sample)])).toBe('red lime blue white')
})

test.for<Sample>(['gray', 'ten-bits-gray'])('the brightness of %s, which has no colors', async (sample) => {
  const { picture } = await decode([codedItem(sample)])
  const { channels } = await picture.stats()
  expect(new Set(channels.map(({ mean }) => mean)).size).toBe(1)
  expect(channels[0]?.max).toBeGreaterThan(250)
})

/** Turns are against the clock, and mirror 0 exchanges top and bottom. */
const orientations: [name: string, properties: Buffer[], expected: string][] = [
  ['nothing', [], 'red lime blue white'],
  ['a quarter', [turnProperty(1)], 'lime white red blue'],
  ['a half', [turnProperty(2)], 'white blue lime red'],
  ['three quarters', [turnProperty(3)], 'blue red white lime'],
  ['top and bottom', [mirrorProperty(0)], 'blue white red lime'],
  ['left and right', [mirrorProperty(1)], 'lime red white blue'],
  ['a quarter, then top and bottom', [turnProperty(1), mirrorProperty(0)], 'red blue lime white'],
  ['top and bottom, then a quarter', [mirrorProperty(0), turnProperty(1)], 'white lime blue red'],
  ['a quarter, then left and right', [turnProperty(1), mirrorProperty(1)], 'white lime blue red'],
  ['both mirrors', [mirrorProperty(0), mirrorProperty(1)], 'white blue lime red'],
]

test.for(orientations)('transformations: %s', async ([, properties, expected]) => {
  expect(await quarters([codedItem('full-601', ...properties)])).toBe(expected)
  const grid = { columns: 2, rows: 2, width: 128, height: 128 }
  const tiles: Sample[] = ['tile-red', 'tile-lime', 'tile-blue', 'tile-white']
  expect(await quarters(gridItems(tiles, grid, ...properties))).toBe(expected)
})

test('a grid whose tiles exceed it, and a crop across tiles', async () => {
  const tiles: Sample[] = ['tile-red', 'tile-lime', 'tile-blue', 'tile-white']
  const grid = { columns: 2, rows: 2, width: 66, height: 126 }
  const { picture, width, height } = await decode(gridItems(tiles, grid, cropProperty(4, 6, 62, 2), turnProperty(1)))
  expect([width, height]).toEqual([6, 4])
  const pixels = await picture.raw().toBuffer()
  // The last columns are the first two of the right tiles, and are the first rows after the turn.
  const colorAt = (x: number, y: number) => [...pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)]
  expect(
    [colorAt(0, 0), colorAt(5, 0), colorAt(0, 3), colorAt(5, 3)].map((color) => color.map((one) => one > 128)),
  ).toEqual([
    [false, true, false],
    [true, true, true],
    [true, false, false],
    [false, false, true],
  ])
})

test('tiles of two configurations', async () => {
  const tiles: Sample[] = ['tile-limited-709', 'tile-lime', 'tile-blue', 'tile-limited-709']
  const expected = 'white lime blue white'
  expect(await quarters(gridItems(tiles, { columns: 2, rows: 2, width: 128, height: 128 }))).toBe(expected)
})

test('damaged data is rejected', async () => {
  const item = codedItem('full-601')
  await expect(decode([{ ...item, content: Buffer.alloc(300, 0xaa) }])).rejects.toThrow(/Decode error|No frame/)
  const grid = gridItems(['tile-red', 'tile-lime'], { columns: 2, rows: 1, width: 128, height: 64 }).slice(0, 1)
  const damaged = { ...codedItem('tile-lime'), content: Buffer.alloc(40, 0xaa) }
  await expect(decode([...grid, codedItem('tile-red'), damaged])).rejects.toThrow()
})

const exif = createExif({ Make: 'Camera', Copyright: 'Ana' }, 1)

test('the JPEG has the profile of the file byte for byte, and the EXIF data', async () => {
  const profile = await plainPicture(9, 9).withIccProfile('p3').jpeg().toBuffer()
  const { icc } = await sharp(profile).metadata()
  const large = Buffer.concat([icc ?? Buffer.alloc(0), Buffer.alloc(70_000)])
  large.writeUInt32BE(large.length)
  const items = [codedItem('full-601', profileProperty(large))]
  const jpeg = await encodeHeicJpeg(await decode(items), exif)
  const metadata = await sharp(jpeg, { failOn: 'warning' }).metadata()
  expect(metadata).toMatchObject({ format: 'jpeg', width: 128, height: 96, orientation: 1 })
  expect(metadata.icc?.equals(large)).toBe(true)
  expect(metadata.exif?.includes('Camera') && metadata.exif.includes('Ana')).toBe(true)
})

/** Red of these primaries is outside of sRGB. */
test.for<[name: string, primaries: number, transfer: number]>([
  ['Display P3', 12, 13],
  ['BT.2020', 9, 14],
  ['BT.2020 with a perceptual quantizer', 9, 16],
])('coded colors of %s get a profile', async ([, primaries, transfer]) => {
  const items = [codedItem('full-601', colorsProperty(primaries, transfer, 6, true))]
  const jpeg = await encodeHeicJpeg(await decode(items), exif)
  expect((await sharp(jpeg).metadata()).icc?.toString('latin1', 36, 40)).toBe('acsp')
  const pixels = await sharp(jpeg).withIccProfile('srgb').raw().toBuffer()
  const [red, green, blue] = pixels.subarray(3 * (24 * 128 + 32))
  expect([(red ?? 0) > 230, (green ?? 255) < 40, (blue ?? 255) < 60]).toEqual([true, true, true])
  const white = [...pixels.subarray(3 * (72 * 128 + 96), 3 * (72 * 128 + 96) + 3)]
  expect(Math.min(...white)).toBeGreaterThan(245)
})

test('colors of sRGB get no profile', async () => {
  expect((await decode([codedItem('full-601', colorsProperty(1, 13, 6, true))])).profile).toBeNull()
})
