import { parseBoxHeader } from '../video/movie-boxes.ts'
import { blank, clearExif, clearUuidBox, clearXmp } from './clear-metadata.ts'
import { type EditedFile, type Piece, ReadLimitExceeded } from './edited-file.ts'

const maxBoxes = 1000
const maxMetaBytes = 2 ** 20
const maxItems = 10_000
/** Cameras write one extent for each item. */
const maxExtents = 20_000

type Box = { type: string; body: Piece }

/** Clears XMP in `uuid` boxes, and the items that `meta` lists as EXIF or XMP. Throws ReadLimitExceeded. */
export async function clearHeif(file: EditedFile): Promise<void> {
  for (const { type, body } of await readBoxes(file, { at: 0, length: file.sizeBytes })) {
    if (type === 'uuid') await clearUuidBox(file, body)
    if (type === 'meta') await clearItems(file, { at: body.at + 4, length: body.length - 4 })
  }
}

/** Returns the place of the TIFF header of the first EXIF item and all after it; null if there is none. Throws ReadLimitExceeded. */
export async function findHeifExif(file: EditedFile): Promise<Piece | null> {
  for (const { type, body } of await readBoxes(file, { at: 0, length: file.sizeBytes })) {
    if (type !== 'meta') continue
    const items = await findItems(file, { at: body.at + 4, length: body.length - 4 })
    const exif = items.find(({ kind }) => kind === 'exif')
    return exif ? findTiffHeader(file, exif.pieces) : null
  }
  return null
}

async function clearItems(file: EditedFile, meta: Piece): Promise<void> {
  for (const { kind, pieces } of await findItems(file, meta)) {
    if (kind === 'xmp') await clearXmp(file, pieces)
    else await clearExifItem(file, pieces)
  }
}

type MetadataItem = { kind: 'exif' | 'xmp'; pieces: Piece[] }

async function findItems(file: EditedFile, meta: Piece): Promise<MetadataItem[]> {
  if (meta.length > maxMetaBytes) throw new ReadLimitExceeded()
  const boxes = await readBoxes(file, meta)
  const bodyOf = (wanted: string) => boxes.find(({ type }) => type === wanted)?.body
  const [infos, ranges, data] = [bodyOf('iinf'), bodyOf('iloc'), bodyOf('idat')]
  if (!infos || !ranges) return []
  const kinds = await metadataItems(file, infos)
  if (kinds.size === 0) return []
  const found = readItemRanges(createCursor(await file.read(ranges.at, ranges.length)), data ?? { at: 0, length: 0 })
  return Array.from(kinds, ([id, kind]) => {
    const pieces = found.get(id)
    if (!pieces) throw new ReadLimitExceeded()
    return { kind, pieces }
  })
}

async function clearExifItem(file: EditedFile, pieces: Piece[]): Promise<void> {
  const block = await findTiffHeader(file, pieces)
  return block ? clearExif(file, [block]) : blank(file, pieces, 0)
}

/** The first four bytes of the item are the offset of the TIFF header after them. Returns null for another structure. */
async function findTiffHeader(file: EditedFile, pieces: Piece[]): Promise<Piece | null> {
  const [piece] = pieces
  if (!piece || pieces.length > 1) return null
  const head = await file.read(piece.at, 4)
  const start = head.length === 4 ? 4 + head.readUInt32BE(0) : piece.length
  return start >= piece.length ? null : { at: piece.at + start, length: piece.length - start }
}

async function metadataItems(file: EditedFile, { at, length }: Piece): Promise<Map<number, 'exif' | 'xmp'>> {
  const items = new Map<number, 'exif' | 'xmp'>()
  const [version = 0] = await file.read(at, 1)
  const headBytes = version === 0 ? 6 : 8
  for (const { type, body } of await readBoxes(file, { at: at + headBytes, length: length - headBytes })) {
    if (type !== 'infe') continue
    const info = createCursor(await file.read(body.at, body.length))
    const infoVersion = info.readUint(4) >>> 24
    if (infoVersion < 2) continue
    const id = info.readUint(infoVersion === 2 ? 2 : 4)
    info.readUint(2)
    const itemType = info.readText(4)
    if (itemType === 'Exif') items.set(id, 'exif')
    const [, contentType = ''] = info.readRest().split('\0')
    if (itemType === 'mime' && contentType === 'application/rdf+xml') items.set(id, 'xmp')
  }
  return items
}

function readItemRanges(ranges: ReturnType<typeof createCursor>, data: Piece): Map<number, Piece[]> {
  const version = ranges.readUint(4) >>> 24
  const sizes = ranges.readUint(2)
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >>> 12, (sizes >>> 8) & 15, (sizes >>> 4) & 15]
  const indexBytes = version === 0 ? 0 : sizes & 15
  const idBytes = version < 2 ? 2 : 4
  const count = ranges.readUint(idBytes)
  const found = new Map<number, Piece[]>()
  let allExtents = 0
  for (let item = 0; item < Math.min(count, maxItems); item++) {
    const id = ranges.readUint(idBytes)
    const method = version === 0 ? 0 : ranges.readUint(2) & 15
    ranges.readUint(2)
    const base = ranges.readUint(baseBytes) + (method === 1 ? data.at : 0)
    const extents = ranges.readUint(2)
    allExtents += extents
    if (allExtents > maxExtents) throw new ReadLimitExceeded()
    const pieces: Piece[] = []
    for (let extent = 0; extent < extents; extent++) {
      ranges.readUint(indexBytes)
      pieces.push({ at: base + ranges.readUint(offsetBytes), length: ranges.readUint(lengthBytes) })
    }
    if (method < 2) found.set(id, pieces)
  }
  return found
}

async function readBoxes(file: EditedFile, { at: start, length }: Piece): Promise<Box[]> {
  const boxes: Box[] = []
  const end = Math.min(start + length, file.sizeBytes)
  for (let at = start; at + 8 <= end; ) {
    if (boxes.length === maxBoxes) throw new ReadLimitExceeded()
    const header = parseBoxHeader(await file.read(at, 16), end - at)
    if (!header) break
    const { type, size, headerBytes } = header
    if (size < headerBytes) throw new ReadLimitExceeded()
    boxes.push({ type, body: { at: at + headerBytes, length: Math.min(size, end - at) - headerBytes } })
    at += size
  }
  return boxes
}

function createCursor(buffer: Buffer) {
  let end = 0
  return {
    /** `bytes` is 0, 2, 4 or 8. */
    readUint(bytes: number): number {
      const at = end
      if (at + bytes > buffer.length) throw new ReadLimitExceeded()
      end += bytes
      if (bytes === 8) return Number(buffer.readBigUInt64BE(at))
      return bytes === 0 ? 0 : buffer.readUIntBE(at, bytes)
    },
    readText(bytes: number): string {
      end += bytes
      return buffer.toString('latin1', end - bytes, end)
    },
    readRest: (): string => buffer.toString('latin1', end),
  }
}
