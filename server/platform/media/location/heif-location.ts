import { createBoxReader } from '../boxes.ts'
import { type Item, readItems, readMeta } from '../heic/item-tables.ts'
import { blank, clearExif, clearUuidBox, clearXmp } from './clear-metadata.ts'
import { type EditedFile, type Piece, ReadLimitExceeded } from './edited-file.ts'

/** Clears XMP in `uuid` boxes, and the items that `meta` lists as EXIF or XMP. Throws ReadLimitExceeded. */
export async function clearHeif(file: EditedFile): Promise<void> {
  const { uuids, items } = await readMetadata(file)
  for (const uuid of uuids) await clearUuidBox(file, uuid)
  for (const item of items) {
    if (isXmp(item)) await clearXmp(file, requirePieces(item))
    if (isExif(item)) await clearExifItem(file, requirePieces(item))
  }
}

/** Returns the place of the TIFF header of the first EXIF item and all after it; null if there is none. Throws ReadLimitExceeded. */
export async function findHeifExif(file: EditedFile): Promise<Piece | null> {
  const exif = (await readMetadata(file)).items.find(isExif)
  return exif ? findTiffHeader(file, requirePieces(exif)) : null
}

const isExif = ({ type }: Item): boolean => type === 'Exif'
const isXmp = ({ type, contentType }: Item): boolean => type === 'mime' && contentType === 'application/rdf+xml'

async function readMetadata(file: EditedFile): Promise<{ uuids: Piece[]; items: Item[] }> {
  const reader = createBoxReader(file)
  const boxes = await reader.boxes({ at: 0, length: file.sizeBytes })
  const items: Item[] = []
  for (const { type, body } of boxes) {
    if (type === 'meta') items.push(...(await readItems(reader, await readMeta(reader, body))).values())
  }
  if (!reader.isComplete()) throw new ReadLimitExceeded()
  return { uuids: boxes.filter(({ type }) => type === 'uuid').map(({ body }) => body), items }
}

function requirePieces({ pieces }: Item): Piece[] {
  if (!pieces) throw new ReadLimitExceeded()
  return pieces
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
