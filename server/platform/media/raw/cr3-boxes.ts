import { type Box, type BoxReader, bodyOf, createBoxReader } from '../boxes.ts'
import type { Piece } from '../location/edited-file.ts'
import type { RawSource } from './raw-source.ts'

export type PictureSize = { width: number; height: number }

/** A JPEG, or HEVC data with its size in pixels and the place of the decoder configuration (the content of `hvcC`). */
export type EmbeddedPicture = Piece & { hevc?: PictureSize & { extradata: Piece } }

export type Cr3Contents = {
  /** Blocks that begin with a TIFF header: the main directory, the EXIF directory and the GPS directory. */
  main: Piece | undefined
  exif: Piece | undefined
  gps: Piece | undefined
  /** The contents of `uuid` boxes. */
  uuids: Piece[]
  pictures: EmbeddedPicture[]
  isComplete: boolean
}

const metadataUuid = '85c0b687820f11e08111f4ce462b6a48'
const previewUuid = 'eaf42b5e1c984b88b9fbb7dc406e4d16'
const uuidBytes = 16
/** The fields of a sample entry before its boxes. */
const entryBytes = 82
/** The fields of a thumbnail or preview before its data. */
const pictureHeadBytes = 16

/**
 * Returns the places of the metadata and the pictures of a CR3 file. Thumbnail, preview and first track are JPEG, or HEVC if
 * the camera was set to HDR. HEVC in several tiles is left out.
 */
export async function readCr3(source: RawSource): Promise<Cr3Contents> {
  const reader = createBoxReader(source)
  const top = await reader.boxes({ at: 0, length: source.sizeBytes })
  const boxes = [...top, ...(await reader.boxes(bodyOf(top, 'moov')))]
  const uuids = boxes.filter(({ type }) => type === 'uuid').map(({ body }) => body)
  const inside: Box[] = []
  for (const uuid of uuids) inside.push(...(await readUuid(source, reader, uuid)))

  const pictures: Array<EmbeddedPicture | null> = []
  for (const { type, body } of inside) {
    if (type === 'THMB') pictures.push(await readPicture(source, reader, body, { sizeAt: 4, lengthAt: 8 }))
    if (type === 'PRVW') pictures.push(await readPicture(source, reader, body, { sizeAt: 6, lengthAt: 12 }))
  }
  for (const { type, body } of boxes) if (type === 'trak') pictures.push(await readTrack(source, reader, body))
  return {
    main: bodyOf(inside, 'CMT1'),
    exif: bodyOf(inside, 'CMT2'),
    gps: bodyOf(inside, 'CMT4'),
    uuids,
    pictures: pictures.filter((picture) => picture !== null),
    isComplete: reader.isComplete(),
  }
}

async function readUuid(source: RawSource, reader: BoxReader, body: Piece): Promise<Box[]> {
  const id = (await source.read(body.at, uuidBytes)).toString('hex')
  if (id === metadataUuid) return reader.boxes(body, uuidBytes)
  return id === previewUuid ? reader.boxes(body, uuidBytes + 8) : []
}

async function readPicture(
  source: RawSource,
  reader: BoxReader,
  body: Piece,
  { sizeAt, lengthAt }: { sizeAt: number; lengthAt: number },
): Promise<EmbeddedPicture | null> {
  const head = await source.read(body.at, pictureHeadBytes)
  const picture = { at: body.at + pictureHeadBytes, length: uint32(head, lengthAt) }
  const isJpeg = (await source.read(picture.at, 2)).toString('hex') === 'ffd8'
  if (isJpeg) return picture
  const boxes = await reader.boxes(picture)
  const data = bodyOf(boxes, 'IMGD')
  if (!data) return null
  // The data of HEVC begins with its length.
  return toHevc(source, boxes, { at: data.at + 4, length: data.length - 4 }, toSize(uint32(head, sizeAt)))
}

async function readTrack(source: RawSource, reader: BoxReader, track: Piece): Promise<EmbeddedPicture | null> {
  const media = await reader.boxes(bodyOf(await reader.boxes(track), 'mdia'))
  const table = await reader.boxes(bodyOf(await reader.boxes(bodyOf(media, 'minf')), 'stbl'))
  const entry = bodyOf(await reader.boxes(bodyOf(table, 'stsd'), 8), 'CRAW')
  const [sizes, offsets] = [bodyOf(table, 'stsz'), bodyOf(table, 'co64')]
  if (!entry || !sizes || !offsets) return null
  // A common size of all samples, their number, and without a common size that of each.
  const sizeFields = await source.read(sizes.at, 16)
  const offsetFields = await source.read(offsets.at, 16)
  const sample = { at: uint64(offsetFields, 8), length: uint32(sizeFields, 4) || uint32(sizeFields, 12) }
  const hevc = bodyOf(await reader.boxes(entry, entryBytes), 'HEVC')
  if (!hevc) return sample
  const size = toSize(uint32(await source.read(entry.at + 24, 4), 0))
  return toHevc(source, await reader.boxes(hevc, 4), sample, size)
}

/** Returns null for several tiles: their places in the data are not documented. */
async function toHevc(
  source: RawSource,
  boxes: Box[],
  data: Piece,
  size: PictureSize,
): Promise<EmbeddedPicture | null> {
  const [extradata, grid] = [bodyOf(boxes, 'hvcC'), bodyOf(boxes, 'GRID')]
  const tiles = grid ? uint32(await source.read(grid.at, 8), 4) : 1
  return extradata && tiles === 1 ? { ...data, hevc: { ...size, extradata } } : null
}

/** Two short numbers, the width first. */
const toSize = (fields: number): PictureSize => ({ width: fields >>> 16, height: fields & 0xffff })

/** Returns 0 for missing bytes. */
const uint32 = (bytes: Buffer, at: number): number => (at + 4 > bytes.length ? 0 : bytes.readUInt32BE(at))
const uint64 = (bytes: Buffer, at: number): number => (at + 8 > bytes.length ? 0 : Number(bytes.readBigUInt64BE(at)))
