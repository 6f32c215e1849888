import { parseBoxHeader } from '../video/movie-boxes.ts'
import { blank, clearUuidBox, clearXmp } from './clear-metadata.ts'
import { type EditedFile, type Piece, ReadLimitExceeded } from './edited-file.ts'

/** Fragmented movies have two boxes for each fragment, so a long movie has thousands. */
const maxBoxes = 40_000
const maxDepth = 8
/** More text than any camera writes. */
const maxTextBytes = 2 ** 20
const space = 0x20

type Box = { type: string; at: number; body: Piece }

/** User data without locations: titles, names, makers, dates, and what players need. */
const harmlessTypes = new Set(
  (
    '\xa9nam \xa9ART \xa9alb \xa9cmt \xa9cpy \xa9day \xa9des \xa9dir \xa9enc \xa9fmt \xa9gen \xa9inf \xa9key \xa9mak \xa9mod \xa9src ' +
    '\xa9swr \xa9too \xa9wrt name cprt titl auth dscp perf gnre albm yrrc rtng clsf kywd tagc chpl ludt hnti hinf hint LOOP AllF ' +
    'SelO WLOC ptv TAGS free skip wide'
  ).split(' '),
)
const locationName = /location|gps|\xa9xyz|latitude|longitude|altitude|geo/i

/** Blanks unknown user data and disables metadata tracks: both may contain locations. Throws ReadLimitExceeded. */
export async function clearMovie(file: EditedFile): Promise<void> {
  await clearBoxes(file, { at: 0, length: file.sizeBytes }, { left: maxBoxes }, 0)
}

async function clearBoxes(file: EditedFile, within: Piece, budget: { left: number }, depth: number): Promise<void> {
  if (depth > maxDepth) throw new ReadLimitExceeded()
  for await (const box of readBoxes(file, within, budget)) {
    const { type, at, body } = box
    if (type === 'moov') await clearBoxes(file, body, budget, depth + 1)
    if (type === 'trak' && (await isMetadataTrack(file, body, budget))) await file.write(at + 4, Buffer.from('free'))
    else if (type === 'trak') await clearBoxes(file, body, budget, depth + 1)
    if (type === 'udta') await clearUserData(file, body, budget)
    if (type === 'meta') await clearMetadata(file, body, budget)
    if (type === 'uuid') await clearUuidBox(file, body)
  }
}

async function isMetadataTrack(file: EditedFile, track: Piece, budget: { left: number }): Promise<boolean> {
  for await (const media of readBoxes(file, track, budget)) {
    if (media.type !== 'mdia') continue
    for await (const { type, body } of readBoxes(file, media.body, budget)) {
      if (type === 'hdlr') return (await file.read(body.at + 8, 4)).toString('latin1') === 'meta'
    }
  }
  return false
}

async function clearUserData(file: EditedFile, data: Piece, budget: { left: number }): Promise<void> {
  for await (const { type, at, body } of readBoxes(file, data, budget)) {
    if (type === 'meta') await clearMetadata(file, body, budget)
    else if (type === 'XMP_') await clearXmp(file, [body])
    else if (!harmlessTypes.has(type)) {
      await file.write(at + 4, Buffer.from('free'))
      await file.fill(body.at, body.length, 0)
    }
  }
}

/** The name of a value is its box type, or an entry of the box `keys`. */
async function clearMetadata(file: EditedFile, meta: Piece, budget: { left: number }): Promise<void> {
  // In ISO files, a version precedes the boxes. In QuickTime files, it does not.
  const isPlain = (await file.read(meta.at + 4, 4)).toString('latin1') === 'hdlr'
  const inside = isPlain ? meta : { at: meta.at + 4, length: meta.length - 4 }
  const boxes: Box[] = []
  for await (const box of readBoxes(file, inside, budget)) boxes.push(box)
  const keys = boxes.find(({ type }) => type === 'keys')
  const names = keys ? await readKeys(file, keys.body) : []
  for (const { type, body } of boxes) {
    if (type === 'ilst') await clearValues(file, body, names, budget)
    if (type === 'xml ' || type === 'bxml') await clearText(file, body)
  }
}

async function clearValues(
  file: EditedFile,
  list: Piece,
  names: readonly string[],
  budget: { left: number },
): Promise<void> {
  for await (const { type, body } of readBoxes(file, list, budget)) {
    const name = names[Buffer.from(type, 'latin1').readUInt32BE(0) - 1] ?? type
    const isFree = type === '----'
    const field = isFree ? (await file.read(body.at, Math.min(body.length, 1000))).toString('latin1') : name
    if (!locationName.test(field)) continue
    for await (const value of readBoxes(file, body, budget)) {
      if (value.type !== 'data') continue
      const isText = (await file.read(value.body.at, 4)).readUInt32BE(0) === 1
      await file.fill(value.body.at + 8, value.body.length - 8, isText ? space : 0)
    }
  }
}

async function readKeys(file: EditedFile, { at, length }: Piece): Promise<string[]> {
  if (length > maxTextBytes) throw new ReadLimitExceeded()
  const bytes = await file.read(at, length)
  const names: string[] = []
  for (let position = 8; position + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(position)
    if (size < 8) throw new ReadLimitExceeded()
    names.push(bytes.toString('latin1', position + 8, position + size))
    position += size
  }
  return names
}

async function clearText(file: EditedFile, body: Piece): Promise<void> {
  const isLarge = body.length > maxTextBytes
  const text = isLarge ? '' : (await file.read(body.at, body.length)).toString('latin1').replaceAll('\0', '')
  if (isLarge || locationName.test(text)) {
    await blank(file, [{ at: body.at + 4, length: body.length - 4 }], space)
  }
}

async function* readBoxes(
  file: EditedFile,
  { at: start, length }: Piece,
  budget: { left: number },
): AsyncGenerator<Box, void> {
  const end = Math.min(start + length, file.sizeBytes)
  for (let at = start; at + 8 <= end; ) {
    if (budget.left-- <= 0) throw new ReadLimitExceeded()
    const head = await file.read(at, 16)
    // User data may end with four zero bytes instead of a box.
    if (head.readUInt32BE(0) === 0 && start > 0) return
    const header = parseBoxHeader(head, end - at)
    if (!header || header.size < header.headerBytes) return
    const { type, size, headerBytes } = header
    yield { type, at, body: { at: at + headerBytes, length: Math.min(size, end - at) - headerBytes } }
    at += size
  }
}
