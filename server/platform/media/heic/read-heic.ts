import { type BoxReader, bodyOf, createBoxReader } from '../boxes.ts'
import type { Sampling } from '../decoder/decode-frames.ts'
import type { PixelSize } from '../image-tasks.ts'
import { type Piece, ReadLimitExceeded } from '../location/edited-file.ts'
import type { ReadAt } from '../read-at.ts'
import { chooseCoding, parseColors } from './color-properties.ts'
import { type HeicPicture, type HevcStream, RejectedHeic, type Tile } from './heic-picture.ts'
import { parseHevcConfig } from './hevc-stream.ts'
import { createProfile } from './icc-profile.ts'
import { type Property, readGrids, readProperties } from './item-properties.ts'
import { createCursor, type Item, readItems, readMeta, readTable } from './item-tables.ts'
import { orient } from './transformations.ts'

const maxPixels = 65e6
const maxTiles = 1024
const maxTileEdge = 8192

/**
 * Reads the tables of a HEIC file, and checks what decoding its primary picture needs. Pictures that are derived in
 * other ways than as a grid, and image sequences without a still picture, are unsupported. Throws RejectedHeic.
 */
export async function readHeic(read: ReadAt, sizeBytes: number): Promise<HeicPicture> {
  try {
    return await readPicture(createBoxReader({ read, sizeBytes }))
  } catch (error) {
    if (error instanceof ReadLimitExceeded) throw damaged('The tables are malformed or too long')
    throw error
  }
}

const damaged = (message: string) => new RejectedHeic('damage', message)
const unsupported = (message: string) => new RejectedHeic('unsupported', message)

async function readPicture(reader: BoxReader): Promise<HeicPicture> {
  const tables = await readTables(reader)
  const primary = tables.getItem(tables.primaryId)
  const { decoded, columns, items } = primary.type === 'grid' ? await readGrid(reader, tables) : toLayout(primary)
  const [first = primary] = items
  const size = parseSize(first)
  checkCover(decoded, size, columns, items.length / columns)
  const orientation = orient(decoded, primary.properties)
  const { width, height } = orientation
  const colors = parseColors([primary, first].flatMap((item) => listBodies(item, 'colr')))
  const openStream = createStreamReader()
  const tiles = items.map((item, index): Tile => {
    const stream = openStream(item)
    const { width, height } = parseSize(item)
    const isDeclared = stream.width >= width && stream.height >= height
    if (width !== size.width || height !== size.height || !isDeclared) throw damaged('The sizes of the tiles differ')
    const [left, top] = [(index % columns) * width, Math.floor(index / columns) * height]
    return { left, top, width, height, pieces: item.pieces, stream, coding: chooseCoding(colors.colors, stream) }
  })
  checkMemory(width * height, tiles, reader.source.sizeBytes)
  const described = colors.colors ?? openStream(first).colors
  const profile = colors.profile ?? (described && createProfile(described))
  return { width, height, orientation, tiles, profile }
}

type PictureItem = Item & { pieces: Piece[]; properties: Property[] }

/** Those that are understood, or do not change what is seen. */
const knownProperties = new Set(['hvcC', 'ispe', 'irot', 'imir', 'clap', 'colr', 'pixi', 'pasp', 'auxC'])

type Tables = Awaited<ReturnType<typeof readTables>>

async function readTables(reader: BoxReader) {
  const { source } = reader
  const boxes = await reader.boxes({ at: 0, length: source.sizeBytes })
  const meta = await readMeta(reader, bodyOf(boxes, 'meta'))
  const handler = await readTable(reader, bodyOf(meta, 'hdlr'))
  if (handler.toString('latin1', 8, 12) !== 'pict') throw unsupported('There is no still picture')
  const items = await readItems(reader, meta)
  const properties = await readProperties(reader, meta)
  const grids = await readGrids(reader, meta)
  const primary = createCursor(await readTable(reader, bodyOf(meta, 'pitm')))
  const primaryId = primary.uint(4) >>> 24 === 0 ? primary.uint(2) : primary.uint(4)

  function getItem(id: number): PictureItem {
    const item = items.get(id)
    const isInside = item?.pieces?.every(({ at, length }) => length >= 1 && at + length <= source.sizeBytes)
    if (!item?.pieces?.length || !isInside) throw damaged(`The data of the item ${id} is incomplete`)
    const own = properties.get(id) ?? []
    const unknown = own.find(({ type, isEssential }) => isEssential && !knownProperties.has(type))
    if (unknown) throw unsupported(`The property ${JSON.stringify(unknown.type)} is not understood`)
    return { ...item, pieces: item.pieces, properties: own }
  }

  return { primaryId, getItem, listTiles: (id: number) => grids.get(id) ?? [] }
}

/** `items`: what is decoded, the primary item or all tiles of its grid. */
type Layout = { decoded: PixelSize; columns: number; items: PictureItem[] }

function toLayout(primary: PictureItem): Layout {
  assertCoded(primary)
  return { decoded: parseSize(primary), columns: 1, items: [primary] }
}

function assertCoded({ type }: Item): void {
  if (type !== 'hvc1' && type !== 'hev1')
    throw unsupported(`Pictures of the type ${JSON.stringify(type)} are not decoded`)
}

/** Reads the content of an item `grid` (ISO/IEC 23008-12, 6.6.2.3). Its tiles have no transformations. */
async function readGrid(reader: BoxReader, { primaryId, getItem, listTiles }: Tables): Promise<Layout> {
  const cursor = createCursor(await readTable(reader, getItem(primaryId).pieces[0]))
  cursor.uint(1)
  const edgeBytes = (cursor.uint(1) & 1) === 0 ? 2 : 4
  const [rows, columns] = [cursor.uint(1) + 1, cursor.uint(1) + 1]
  const decoded = { width: cursor.uint(edgeBytes), height: cursor.uint(edgeBytes) }
  const ids = listTiles(primaryId)
  if (ids.length !== columns * rows) throw damaged('The grid lacks tiles or has too many')
  if (ids.length > maxTiles) throw damaged(`The grid has ${ids.length} tiles`)
  return { decoded, columns, items: ids.map(getItem) }
}

const listBodies = ({ properties }: PictureItem, wanted: string): Buffer[] =>
  properties.filter(({ type }) => type === wanted).map(({ body }) => body)

function requireBody(item: PictureItem, wanted: string): Buffer {
  const [body] = listBodies(item, wanted)
  if (!body) throw damaged(`The item ${item.id} lacks the property ${wanted}`)
  return body
}

function parseSize(item: PictureItem): PixelSize {
  const cursor = createCursor(requireBody(item, 'ispe'))
  cursor.uint(4)
  return { width: cursor.uint(4), height: cursor.uint(4) }
}

/** Each tile must have a part of the picture, so that a small picture does not cost much. */
function checkCover({ width, height }: PixelSize, tile: PixelSize, columns: number, rows: number): void {
  if (width * height > maxPixels) throw new RejectedHeic('size', `The picture has ${width} × ${height} pixels`)
  if (Math.max(tile.width, tile.height) > maxTileEdge) throw new RejectedHeic('size', 'A tile has too many pixels')
  const isCovered = (edge: number, tileEdge: number, count: number) =>
    edge >= 1 && edge <= count * tileEdge && edge > (count - 1) * tileEdge
  if (!isCovered(width, tile.width, columns) || !isCovered(height, tile.height, rows)) {
    throw damaged('The tiles do not fit the picture')
  }
}

/** Items of the same property share a stream. */
function createStreamReader(): (item: PictureItem) => HevcStream {
  const streams = new Map<Buffer, HevcStream>()
  return (item) => {
    assertCoded(item)
    const config = requireBody(item, 'hvcC')
    const stream = streams.get(config) ?? parseHevcConfig(config)
    streams.set(config, stream)
    return stream
  }
}

/** Limit for decoding and encoding, without the memory of the process itself. */
const maxMemoryBytes = 300e6
const encoderBytes = 32 * 2 ** 20
/** The decoder has up to 16 threads with a frame each, and frames are copied twice before they are drawn. */
const [maxThreads, copies] = [16, 2]
/** Samples for each pixel. */
const sampleCounts: Record<Sampling, number> = { '400': 1, '420': 1.5, '422': 2, '444': 3 }

/**
 * What is in memory at once: the decoded picture with three bytes for each pixel, and first the frames of the decoder,
 * then the encoder. 48 megapixels in tiles of 512 pixels need 180 of 300 MB; 24 megapixels in one piece need 180, with
 * 10 bits 290.
 */
function checkMemory(pixels: number, tiles: readonly Tile[], sizeBytes: number): void {
  let frameBytes = 0
  let dataBytes = 0
  for (const { stream, pieces } of tiles) {
    const sampleBytes = stream.bits > 8 ? 2 : 1
    frameBytes = Math.max(frameBytes, stream.width * stream.height * sampleCounts[stream.sampling] * sampleBytes)
    for (const { length } of pieces) dataBytes += length
  }
  if (dataBytes > sizeBytes) throw damaged('The tiles have more data than the file')
  const decoderBytes = (Math.min(tiles.length, maxThreads) + copies) * frameBytes
  const neededBytes = 3 * pixels + Math.max(decoderBytes, encoderBytes)
  if (neededBytes > maxMemoryBytes) throw new RejectedHeic('size', `Decoding needs ${Math.round(neededBytes / 1e6)} MB`)
}
