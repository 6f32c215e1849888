import { blank, clearExif, clearXmp } from './clear-metadata.ts'
import { type EditedFile, type Piece, ReadLimitExceeded } from './edited-file.ts'

const maxBoxes = 1000
const maxMetaBytes = 2 ** 20
const maxItems = 10_000
const xmpUuid = 'be7acfcb97a942e89c71999491e3afac'

type Box = { type: string; body: Piece }

/** Clears the items that `meta` lists as EXIF and XMP. Throws ReadLimitExceeded when the list cannot be parsed. */
export async function clearHeif(file: EditedFile): Promise<void> {
  for (const { type, body } of await readBoxes(file, { at: 0, length: file.sizeBytes })) {
    if (type === 'uuid' && (await file.read(body.at, 16)).toString('hex') === xmpUuid) {
      await clearXmp(file, [{ at: body.at + 16, length: body.length - 16 }])
    }
    if (type === 'meta') await clearItems(file, { at: body.at + 4, length: body.length - 4 })
  }
}

async function clearItems(file: EditedFile, meta: Piece): Promise<void> {
  if (meta.length > maxMetaBytes) throw new ReadLimitExceeded()
  const boxes = await readBoxes(file, meta)
  const bodyOf = (wanted: string) => boxes.find(({ type }) => type === wanted)?.body
  const [infos, ranges, data] = [bodyOf('iinf'), bodyOf('iloc'), bodyOf('idat')]
  if (!infos || !ranges) return
  const kinds = await metadataItems(file, infos)
  if (kinds.size === 0) return
  const pieces = readItemRanges(new Cursor(await file.read(ranges.at, ranges.length)), data ?? { at: 0, length: 0 })
  for (const [id, kind] of kinds) {
    const where = pieces.get(id)
    if (!where) throw new ReadLimitExceeded()
    if (kind === 'xmp') await clearXmp(file, where)
    else await clearExifItem(file, where)
  }
}

/** The first four bytes are the offset of the TIFF header after them. */
async function clearExifItem(file: EditedFile, pieces: Piece[]): Promise<void> {
  const [piece] = pieces
  if (!piece || pieces.length > 1) return blank(file, pieces, 0)
  const head = await file.read(piece.at, 4)
  const start = head.length === 4 ? 4 + head.readUInt32BE(0) : piece.length
  if (start >= piece.length) return blank(file, pieces, 0)
  return clearExif(file, [{ at: piece.at + start, length: piece.length - start }])
}

async function metadataItems(file: EditedFile, { at, length }: Piece): Promise<Map<number, 'exif' | 'xmp'>> {
  const items = new Map<number, 'exif' | 'xmp'>()
  const [version = 0] = await file.read(at, 1)
  const headBytes = version === 0 ? 6 : 8
  for (const { type, body } of await readBoxes(file, { at: at + headBytes, length: length - headBytes })) {
    if (type !== 'infe') continue
    const info = new Cursor(await file.read(body.at, body.length))
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

function readItemRanges(ranges: Cursor, data: Piece): Map<number, Piece[]> {
  const version = ranges.readUint(4) >>> 24
  const sizes = ranges.readUint(2)
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >>> 12, (sizes >>> 8) & 15, (sizes >>> 4) & 15]
  const indexBytes = version === 0 ? 0 : sizes & 15
  const idBytes = version < 2 ? 2 : 4
  const count = ranges.readUint(idBytes)
  const found = new Map<number, Piece[]>()
  for (let item = 0; item < Math.min(count, maxItems); item++) {
    const id = ranges.readUint(idBytes)
    const method = version === 0 ? 0 : ranges.readUint(2) & 15
    ranges.readUint(2)
    const base = ranges.readUint(baseBytes) + (method === 1 ? data.at : 0)
    const extents = ranges.readUint(2)
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
    const head = await file.read(at, 16)
    const isLong = head.readUInt32BE(0) === 1
    if (isLong && head.length < 16) break
    const size = isLong ? Number(head.readBigUInt64BE(8)) : head.readUInt32BE(0) || end - at
    const headBytes = isLong ? 16 : 8
    if (size < headBytes) throw new ReadLimitExceeded()
    const body = { at: at + headBytes, length: Math.min(size, end - at) - headBytes }
    boxes.push({ type: head.toString('latin1', 4, 8), body })
    at += size
  }
  return boxes
}

class Cursor {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** `bytes` is 0, 2, 4 or 8. */
  readUint(bytes: number): number {
    if (this.#at + bytes > this.#bytes.length) throw new ReadLimitExceeded()
    const at = this.#at
    this.#at += bytes
    if (bytes === 8) return Number(this.#bytes.readBigUInt64BE(at))
    return bytes === 0 ? 0 : this.#bytes.readUIntBE(at, bytes)
  }

  readText(bytes: number): string {
    this.#at += bytes
    return this.#bytes.toString('latin1', this.#at - bytes, this.#at)
  }

  readRest = (): string => this.#bytes.toString('latin1', this.#at)
}
