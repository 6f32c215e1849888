import { readFileSync } from 'node:fs'
import { box } from './movie-boxes.ts'

/**
 * A coded picture of `heic/`. Those named `tile-…` have 64 × 64 pixels of one color, `camera-tile` has 512 × 512 pixels with
 * noise, the others four quarters in 128 × 96.
 */
export type Sample =
  | 'full-601'
  | 'limited-709'
  | 'unmarked-full-601'
  | 'unmarked-limited-709'
  | 'ten-bits-2020'
  | 'ten-bits-422'
  | 'ten-bits-gray'
  | 'twelve-bits-444'
  | 'gray'
  | 'identity'
  | 'unconverted'
  | 'tile-red'
  | 'tile-lime'
  | 'tile-blue'
  | 'tile-white'
  | 'tile-limited-709'
  | 'camera-tile'

export const readSample = (name: string): Buffer => readFileSync(new URL(`heic/${name}`, import.meta.url))

export type HeicItem = {
  type: string
  content: Buffer
  /** Boxes, in the order of their association. */
  properties?: Buffer[]
  place?: 'file' | 'idat' | 'item'
  /** Pieces that the content is stored in, one after another but not adjacent. */
  pieces?: number
  references?: [type: string, ids: number[]]
}

export type HeicOptions = {
  /** The number of an item; the first one is 1. */
  primary?: number
  brand?: string
  locationVersion?: 0 | 1 | 2
  handler?: string
  /** Whether the ids and the indexes of properties have the longer form. */
  isWide?: boolean
}

const uint = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

const fullBox = (type: string, version: number, flags: number, ...content: Buffer[]): Buffer =>
  box(type, uint(version, 1), uint(flags, 3), ...content)

/** Creates a HEIC file. The items have the numbers 1, 2 and so on. */
export function createHeic(items: HeicItem[], options: HeicOptions = {}): Buffer<ArrayBuffer> {
  const start = box('ftyp', Buffer.from(options.brand ?? 'heic'), uint(0, 4), Buffer.from('mif1heic'))
  const withoutPlaces = createMeta(items, options, 0)
  const meta = createMeta(items, options, start.length + withoutPlaces.length + 8)
  const data = items.filter(({ place = 'file' }) => place === 'file').map(layOut)
  return Buffer.from(Buffer.concat([start, meta, box('mdat', ...data)]))
}

/** Bytes between the pieces of an item. */
const gap = 3

const listPieces = ({ content, pieces = 1 }: HeicItem): Buffer[] => {
  const length = Math.ceil(content.length / pieces)
  return Array.from({ length: pieces }, (_, index) => content.subarray(index * length, (index + 1) * length))
}

const layOut = (item: HeicItem): Buffer =>
  Buffer.concat(listPieces(item).flatMap((piece) => [piece, Buffer.alloc(gap, 0xee)]))

/** Programs list only the other items. */
const hiddenFlag = 1

function createMeta(items: HeicItem[], options: HeicOptions, dataAt: number): Buffer {
  const { primary = 1, handler = 'pict', isWide = false } = options
  const idBytes = isWide ? 4 : 2
  const infos = items.map(({ type }, index) =>
    fullBox(
      'infe',
      isWide ? 3 : 2,
      index + 1 === primary ? 0 : hiddenFlag,
      uint(index + 1, idBytes),
      uint(0, 2),
      Buffer.from(type),
      Buffer.alloc(1),
    ),
  )
  const references = items.flatMap(({ references }, index) => {
    if (!references) return []
    const [type, ids] = references
    return [box(type, uint(index + 1, idBytes), uint(ids.length, 2), ...ids.map((id) => uint(id, idBytes)))]
  })
  return fullBox(
    'meta',
    0,
    0,
    fullBox('hdlr', 0, 0, uint(0, 4), Buffer.from(handler), Buffer.alloc(13)),
    fullBox('pitm', isWide ? 1 : 0, 0, uint(primary, idBytes)),
    fullBox('iinf', isWide ? 1 : 0, 0, uint(items.length, idBytes), ...infos),
    fullBox('iref', isWide ? 1 : 0, 0, ...references),
    createProperties(items, isWide),
    box('idat', ...items.filter(({ place }) => place === 'idat').map(layOut)),
    createLocations(items, options, dataAt),
  )
}

function createProperties(items: HeicItem[], isWide: boolean): Buffer {
  const all = new Map<string, Buffer>()
  for (const property of items.flatMap(({ properties = [] }) => properties)) all.set(property.toString('hex'), property)
  const keys = [...all.keys()]
  const essential = isWide ? 0x8000 : 0x80
  const entries = items.map(({ properties = [] }, index) =>
    Buffer.concat([
      uint(index + 1, isWide ? 4 : 2),
      uint(properties.length, 1),
      ...properties.map((property) => uint(essential + 1 + keys.indexOf(property.toString('hex')), isWide ? 2 : 1)),
    ]),
  )
  const associations = fullBox('ipma', isWide ? 1 : 0, isWide ? 1 : 0, uint(items.length, 4), ...entries)
  return box('iprp', box('ipco', ...all.values()), associations)
}

function createLocations(items: HeicItem[], { locationVersion = 1 }: HeicOptions, dataAt: number): Buffer {
  const ends = { file: dataAt, idat: 0, item: 0 }
  const idBytes = locationVersion === 2 ? 4 : 2
  const entries = items.map((item, index) => {
    const { place = 'file' } = item
    const method = ['file', 'idat', 'item'].indexOf(place)
    const extents = listPieces(item).map(({ length }) => {
      const extent = Buffer.concat([uint(ends[place], 4), uint(length, 4)])
      ends[place] += length + gap
      return extent
    })
    return Buffer.concat([
      uint(index + 1, idBytes),
      ...(locationVersion === 0 ? [] : [uint(method, 2)]),
      ...[uint(0, 2), uint(extents.length, 2), ...extents],
    ])
  })
  return fullBox('iloc', locationVersion, 0, uint(0x4400, 2), uint(items.length, idBytes), ...entries)
}

export const sizeProperty = (width: number, height: number): Buffer =>
  fullBox('ispe', 0, 0, uint(width, 4), uint(height, 4))

export const turnProperty = (quarters: number): Buffer => box('irot', uint(quarters, 1))

/** `axis` 0 exchanges top and bottom, 1 left and right. */
export const mirrorProperty = (axis: 0 | 1): Buffer => box('imir', uint(axis, 1))

/** The distances are those of the centers, in halves of a pixel. */
export const cropProperty = (width: number, height: number, rightHalves: number, downHalves: number): Buffer =>
  box(
    'clap',
    ...[width, 1, height, 1].map((value) => uint(value, 4)),
    ...[rightHalves, downHalves].flatMap((value) => [uint(value >>> 0, 4), uint(2, 4)]),
  )

export const profileProperty = (profile: Buffer, kind: 'prof' | 'rICC' = 'prof'): Buffer =>
  box('colr', Buffer.from(kind), profile)

/** `matrix` 2 is unspecified. */
export const colorsProperty = (primaries: number, transfer: number, matrix: number, isFullRange: boolean): Buffer =>
  box(
    'colr',
    Buffer.from('nclx'),
    ...[primaries, transfer, matrix].map((value) => uint(value, 2)),
    uint(isFullRange ? 128 : 0, 1),
  )

const auxiliaryProperty = (kind: string): Buffer => fullBox('auxC', 0, 0, Buffer.from(`${kind}\0`))

function sampleSize(sample: Sample): [width: number, height: number] {
  if (sample === 'camera-tile') return [512, 512]
  return sample.startsWith('tile-') ? [64, 64] : [128, 96]
}

/** An item that is a coded picture. */
export function codedItem(sample: Sample, ...properties: Buffer[]): HeicItem {
  const config = box('hvcC', readSample(`${sample}.hvcc`))
  const content = readSample(`${sample}.hevc`)
  return { type: 'hvc1', content, properties: [config, sizeProperty(...sampleSize(sample)), ...properties] }
}

/** Two items that belong to item 1 and are not shown: a map of brightness and a map of depth. */
export const auxiliaryItems = (): HeicItem[] =>
  ['urn:com:apple:photo:2020:aux:hdrgainmap', 'urn:mpeg:hevc:2015:auxid:2'].map((kind) => ({
    ...codedItem('gray', auxiliaryProperty(kind)),
    references: ['auxl', [1]],
  }))

export type Grid = { columns: number; rows: number; width: number; height: number }

/** A grid is item 1, its tiles are the next ones. */
export function gridItems(
  tiles: Sample[],
  { columns, rows, width, height }: Grid,
  ...properties: Buffer[]
): HeicItem[] {
  const content = Buffer.concat([uint(0, 2), uint(rows - 1, 1), uint(columns - 1, 1), uint(width, 2), uint(height, 2)])
  const references: HeicItem['references'] = ['dimg', tiles.map((_, index) => index + 2)]
  const grid = { type: 'grid', content, properties: [sizeProperty(width, height), ...properties], references }
  return [grid, ...tiles.map((tile) => codedItem(tile))]
}

/** Returns a picture as large as that of a phone, in tiles: 4032 × 3024 pixels and about 2 MB. */
export const phonePicture = (columns = 8, rows = 6): Buffer<ArrayBuffer> =>
  createHeic(
    gridItems(Array(columns * rows).fill('camera-tile'), {
      columns,
      rows,
      width: columns * 504,
      height: rows * 504,
    }),
  )

/** An item that describes item 1. `exif` begins with the name that it has in a JPEG. */
export const exifItem = (exif: Buffer): HeicItem => ({
  type: 'Exif',
  content: Buffer.concat([uint(6, 4), exif]),
  references: ['cdsc', [1]],
})
