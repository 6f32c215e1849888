import { type Box, type BoxReader, bodyOf } from '../boxes.ts'
import { type Piece, ReadLimitExceeded } from '../location/edited-file.ts'

const maxMetaBytes = 2 ** 20
const maxItems = 2000
/** Cameras write one extent for each item. */
const maxExtents = 4000

export type Item = {
  id: number
  type: string
  /** The content type of an item of the type `mime`. */
  contentType: string
  /** Where the content is in the file, which may be shorter; null without a place, and for content inside of other items. */
  pieces: Piece[] | null
}

/** Returns the boxes inside of `meta`. Throws ReadLimitExceeded for more than 1 MiB, which bounds all tables. */
export async function readMeta(reader: BoxReader, meta: Piece | undefined): Promise<Box[]> {
  if (meta && meta.length > maxMetaBytes) throw new ReadLimitExceeded()
  return reader.boxes(meta, 4)
}

/**
 * Returns the items of a HEIF or AVIF file (ISO/IEC 14496-12, 8.11) by their numbers. `boxes` are those of `readMeta`.
 * Throws ReadLimitExceeded.
 */
export async function readItems(reader: BoxReader, boxes: readonly Box[]): Promise<Map<number, Item>> {
  const items = new Map<number, Item>()
  const infos = bodyOf(boxes, 'iinf')
  const places = parsePlaces(await readTable(reader, bodyOf(boxes, 'iloc')), bodyOf(boxes, 'idat'))
  const version = (await readTable(reader, infos && { ...infos, length: 1 }))[0]
  for (const { type, body } of await reader.boxes(infos, version === 0 ? 6 : 8)) {
    if (type !== 'infe') continue
    const info = createCursor(await readTable(reader, body))
    const infoVersion = info.uint(4) >>> 24
    if (infoVersion < 2) continue
    const id = info.uint(infoVersion === 2 ? 2 : 4)
    info.bytes(2)
    const itemType = info.bytes(4).toString('latin1')
    const [, contentType = ''] = info.rest().toString('latin1').split('\0')
    items.set(id, { id, type: itemType, contentType, pieces: places.get(id) ?? null })
  }
  return items
}

/** Returns no bytes for a missing table. */
export const readTable = async ({ source }: BoxReader, body: Piece | undefined): Promise<Buffer> =>
  body ? source.read(body.at, body.length) : Buffer.alloc(0)

/** Parses a box `iloc`. */
function parsePlaces(table: Buffer, data: Piece | undefined): Map<number, Piece[]> {
  const found = new Map<number, Piece[]>()
  if (table.length === 0) return found
  const places = createCursor(table)
  const version = places.uint(4) >>> 24
  const sizes = places.uint(2)
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >>> 12, (sizes >>> 8) & 15, (sizes >>> 4) & 15]
  const indexBytes = version === 0 ? 0 : sizes & 15
  const idBytes = version < 2 ? 2 : 4
  const count = places.uint(idBytes)
  if (version > 2 || count > maxItems) throw new ReadLimitExceeded()
  let extentsLeft = maxExtents
  for (let item = 0; item < count; item++) {
    const id = places.uint(idBytes)
    const method = version === 0 ? 0 : places.uint(2) & 15
    places.bytes(2)
    // By the method: in the file, in the box `idat`, in other items.
    const start = [0, data?.at][method]
    const base = places.uint(baseBytes) + (start ?? 0)
    const extents = places.uint(2)
    extentsLeft -= extents
    if (extentsLeft < 0) throw new ReadLimitExceeded()
    const pieces = Array.from({ length: extents }, () => {
      places.bytes(indexBytes)
      return { at: base + places.uint(offsetBytes), length: places.uint(lengthBytes) }
    })
    if (start !== undefined) found.set(id, pieces)
  }
  return found
}

const uintBytes = new Set([0, 1, 2, 4, 8])

/** Reads numbers and bytes one after another. The functions throw ReadLimitExceeded at the end of the bytes. */
export function createCursor(buffer: Buffer) {
  let end = 0

  function bytes(count: number): Buffer {
    if (end + count > buffer.length) throw new ReadLimitExceeded()
    end += count
    return buffer.subarray(end - count, end)
  }

  /** `count` is 0, 1, 2, 4 or 8. */
  function uint(count: number): number {
    if (!uintBytes.has(count)) throw new ReadLimitExceeded()
    const number = bytes(count)
    return count === 8 ? Number(number.readBigUInt64BE()) : count === 0 ? 0 : number.readUIntBE(0, count)
  }

  return { bytes, uint, rest: () => buffer.subarray(end) }
}
