import { expect, test } from 'vitest'
import {
  auxiliaryItems,
  codedItem,
  colorsProperty,
  createHeic,
  cropProperty,
  gridItems,
  type HeicItem,
  type HeicOptions,
  mirrorProperty,
  type Sample,
  sizeProperty,
  turnProperty,
} from '../../../../tests/support/media/heic-files.ts'
import { box, typeBox } from '../../../../tests/support/media/movie-boxes.ts'
import { RejectedHeic } from './heic-picture.ts'
import { readHeic } from './read-heic.ts'

const readBytes = (bytes: Buffer) => readHeic(async (at, length) => bytes.subarray(at, at + length), bytes.length)

async function rejectionOf(bytes: Buffer): Promise<string> {
  const error = await readBytes(bytes).then(
    () => null,
    (error) => error,
  )
  expect(error).toBeInstanceOf(RejectedHeic)
  return error.rejection
}

const tiles = (count: number): Sample[] => Array.from({ length: count }, () => 'tile-red')
const grid = { columns: 2, rows: 2, width: 100, height: 110 }

test.for<[name: string, items: HeicItem[], options?: HeicOptions]>([
  ['a single item', [codedItem('full-601')]],
  ['the oldest table of places', [codedItem('full-601')], { locationVersion: 0 }],
  ['the newest table of places', [codedItem('full-601')], { locationVersion: 2 }],
  ['long numbers', [codedItem('full-601')], { isWide: true }],
  ['an item in several pieces', [{ ...codedItem('full-601'), pieces: 3 }]],
  ['an item in the tables', [{ ...codedItem('full-601'), place: 'idat' }]],
  ['a brand of sequences', [codedItem('full-601')], { brand: 'hevc' }],
  ['maps beside the picture', [codedItem('full-601'), ...auxiliaryItems()]],
  ['a picture that is not the first', [codedItem('tile-red'), codedItem('full-601')], { primary: 2 }],
])('reads a picture with %s', async ([, items, options]) => {
  const { width, height, tiles, profile } = await readBytes(createHeic(items, options))
  expect({ width, height, profile }).toEqual({ width: 128, height: 96, profile: null })
  expect(tiles).toMatchObject([{ left: 0, top: 0, coding: { matrix: 'bt601', isFullRange: true } }])
})

test('reads the tiles of a grid, which share a decoder, and the upright size', async () => {
  const properties = [cropProperty(90, 100, 0, 0), turnProperty(1), mirrorProperty(1)]
  const read = await readBytes(createHeic(gridItems(tiles(4), grid, ...properties)))
  expect(read).toMatchObject({ width: 100, height: 90, orientation: { seen: { left: 5, top: 5 } } })
  expect(read.tiles.map(({ left, top }) => [left, top])).toEqual([
    [0, 0],
    [64, 0],
    [0, 64],
    [64, 64],
  ])
  expect(new Set(read.tiles.map(({ stream }) => stream)).size).toBe(1)
})

const withSize = (width: number, height: number): HeicItem => {
  const item = codedItem('full-601')
  return { ...item, properties: [item.properties?.[0] ?? Buffer.alloc(0), sizeProperty(width, height)] }
}
const manyTiles = { columns: 33, rows: 32, width: 2112, height: 2048 }

test.for<[name: string, rejection: string, items: HeicItem[], options?: HeicOptions]>([
  ['an overlay', 'unsupported', [{ type: 'iovl', content: Buffer.alloc(20), properties: [sizeProperty(9, 9)] }]],
  ['a codec that is not HEVC', 'unsupported', [{ ...codedItem('full-601'), type: 'av01' }]],
  ['an unknown property', 'unsupported', [codedItem('full-601', box('lsel', Buffer.alloc(2)))]],
  ['a matrix that is not converted', 'unsupported', [codedItem('unconverted')]],
  ['a declared matrix that is not converted', 'unsupported', [codedItem('full-601', colorsProperty(1, 13, 8, true))]],
  ['items that are not pictures', 'unsupported', [codedItem('full-601')], { handler: 'soun' }],
  ['a crop after a turn', 'unsupported', [codedItem('full-601', turnProperty(1), cropProperty(9, 9, 0, 0))]],
  ['a crop outside', 'damage', [codedItem('full-601', cropProperty(9, 9, 200, 0))]],
  ['data inside of another item', 'damage', [{ ...codedItem('full-601'), place: 'item' }]],
  ['no data', 'damage', [{ ...codedItem('full-601'), content: Buffer.alloc(0) }]],
  ['no configuration', 'damage', [{ ...codedItem('full-601'), properties: [sizeProperty(128, 96)] }]],
  ['no primary item', 'damage', [codedItem('full-601')], { primary: 9 }],
  ['a tile too few', 'damage', gridItems(tiles(3), grid)],
  ['too many tiles', 'damage', gridItems(tiles(1056), manyTiles)],
  ['tiles that do not cover the grid', 'damage', gridItems(tiles(4), { ...grid, width: 129 })],
  ['tiles outside of the grid', 'damage', gridItems(tiles(4), { ...grid, width: 64 })],
  ['tiles of two sizes', 'damage', gridItems(['tile-red', 'full-601', 'tile-red', 'tile-red'], grid)],
  ['a larger size than it is coded in', 'damage', [withSize(130, 96)]],
  ['no pixels', 'damage', [withSize(0, 96)]],
  ['many pixels', 'size', [withSize(10_000, 6501)]],
  ['the largest numbers', 'size', [withSize(0xffffffff, 0xffffffff)]],
])('rejects a picture with %s as %s', async ([, rejection, items, options]) => {
  expect(await rejectionOf(createHeic(items, options))).toBe(rejection)
})

test('rejects a file without tables, a sequence without a picture, and too long tables', async () => {
  const start = typeBox('heic')
  expect(await rejectionOf(start)).toBe('unsupported')
  expect(await rejectionOf(Buffer.concat([start, box('moov', Buffer.alloc(9))]))).toBe('unsupported')
  expect(await rejectionOf(Buffer.concat([start, box('meta', Buffer.alloc(2 ** 20 + 1))]))).toBe('damage')
})

/** `range` and `matrix` of the conversion by what declares the colors. */
test.for<[Sample, Buffer[], object]>([
  ['limited-709', [], { matrix: 'bt709', isFullRange: false }],
  ['unmarked-limited-709', [], { matrix: 'bt601', isFullRange: true }],
  ['unmarked-limited-709', [colorsProperty(1, 13, 1, false)], { matrix: 'bt709', isFullRange: false }],
  ['limited-709', [colorsProperty(1, 13, 2, true)], { matrix: 'bt709', isFullRange: true }],
  ['ten-bits-2020', [], { matrix: 'bt2020', isFullRange: false }],
  ['identity', [], { matrix: 'identity', isFullRange: true }],
])('converts the colors of %s as its property says, else as its stream does', async ([sample, colors, coding]) => {
  const { tiles } = await readBytes(createHeic([codedItem(sample, ...colors)]))
  expect(tiles[0]?.coding).toEqual(coding)
})
