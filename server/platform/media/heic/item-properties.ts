import { type Box, type BoxReader, bodyOf } from '../boxes.ts'
import { ReadLimitExceeded } from '../location/edited-file.ts'
import { createCursor, readTable } from './item-tables.ts'

export type Property = { type: string; body: Buffer; isEssential: boolean }

const maxProperties = 1000

/** Returns the properties of each item by its number, in the order in which they apply. Throws ReadLimitExceeded. */
export async function readProperties(reader: BoxReader, meta: readonly Box[]): Promise<Map<number, Property[]>> {
  const boxes = await reader.boxes(bodyOf(meta, 'iprp'))
  const shared = await reader.boxes(bodyOf(boxes, 'ipco'))
  if (shared.length > maxProperties) throw new ReadLimitExceeded()
  const bodies = await Promise.all(shared.map(({ body }) => readTable(reader, body)))
  const properties = new Map<number, Property[]>()
  for (const { type, body } of boxes) {
    if (type !== 'ipma') continue
    const cursor = createCursor(await readTable(reader, body))
    const versionAndFlags = cursor.uint(4)
    const [idBytes, indexBytes] = [versionAndFlags >>> 24 === 0 ? 2 : 4, (versionAndFlags & 1) + 1]
    const essential = indexBytes === 1 ? 0x80 : 0x8000
    for (let items = cursor.uint(4); items > 0; items--) {
      const [id, count] = [cursor.uint(idBytes), cursor.uint(1)]
      const indexes = Array.from({ length: count }, () => cursor.uint(indexBytes))
      const own = indexes.flatMap((value) => {
        const index = (value & (essential - 1)) - 1
        const [box, body] = [shared[index], bodies[index]]
        return box && body ? [{ type: box.type, body, isEssential: value >= essential }] : []
      })
      properties.set(id, own)
    }
  }
  return properties
}

/** Returns the tiles of each grid by its number, from the box `iref`. Throws ReadLimitExceeded. */
export async function readGrids(reader: BoxReader, meta: readonly Box[]): Promise<Map<number, number[]>> {
  const references = bodyOf(meta, 'iref')
  const version = (await readTable(reader, references && { ...references, length: 1 }))[0]
  const idBytes = version === 0 ? 2 : 4
  const grids = new Map<number, number[]>()
  for (const { type, body } of await reader.boxes(references, 4)) {
    if (type !== 'dimg') continue
    const cursor = createCursor(await readTable(reader, body))
    const [id, count] = [cursor.uint(idBytes), cursor.uint(2)]
    grids.set(
      id,
      Array.from({ length: count }, () => cursor.uint(idBytes)),
    )
  }
  return grids
}
