import type { ReadAt } from '../read-at.ts'
import { blank, clearExif, clearPhotoshop, clearXmp } from './clear-metadata.ts'
import { type EditedFile, type Piece, ReadLimitExceeded } from './edited-file.ts'

const exifName = 'Exif\0'
/** The name and a byte that fills it up. */
const exifHeadBytes = 6
const xmpName = 'http://ns.adobe.com/xap/1.0/\0'
const extendedXmpName = 'http://ns.adobe.com/xmp/extension/\0'
const photoshopName = 'Photoshop 3.0\0'
const multiPictureName = 'MPF\0'

const maxSegments = 2000
const maxGarbageBytes = 65_536
const maxPictures = 16
const pictureListTag = 0xb002

/** Name, digest of the whole text, total length, and offset of the segment. */
const extendedXmpHeadBytes = extendedXmpName.length + 32 + 4 + 4

/** Removes locations from the metadata of the picture at `at` and of up to 16 further pictures that it refers to. */
export async function clearJpeg(file: EditedFile, at = 0): Promise<void> {
  const others = await clearPicture(file, at)
  for (const start of others.slice(0, maxPictures)) {
    const [first, second] = await file.read(start, 2)
    if (first === 0xff && second === 0xd8) await clearPicture(file, start)
  }
}

/** Returns the offsets of further pictures in the file. */
async function clearPicture(file: EditedFile, start: number): Promise<number[]> {
  const photoshop: Piece[] = []
  const extendedXmp: Piece[] = []
  const others: number[] = []
  for await (const { marker, payload } of readSegments(file, start + 2)) {
    if (marker !== 0xe1 && marker !== 0xe2 && marker !== 0xed) continue
    const name = (await file.read(payload.at, Math.min(40, payload.length))).toString('latin1')
    const payloadAfter = (bytes: number): Piece => ({ at: payload.at + bytes, length: payload.length - bytes })
    if (name.startsWith(exifName)) await clearExif(file, [payload])
    else if (name.startsWith(xmpName)) await clearXmp(file, [payloadAfter(xmpName.length)])
    else if (name.startsWith(extendedXmpName)) extendedXmp.push(payload)
    else if (name.startsWith(photoshopName)) photoshop.push(payloadAfter(photoshopName.length))
    else if (name.startsWith(multiPictureName))
      others.push(...(await readPictureOffsets(file, payloadAfter(multiPictureName.length))))
  }
  if (photoshop.length > 0) await clearPhotoshop(file, photoshop)
  await clearExtendedXmp(file, extendedXmp)
  return others
}

/**
 * Returns the place of the first EXIF block, without its name, of the picture at `at`; null if there is none. Throws
 * ReadLimitExceeded.
 */
export async function findJpegExif(file: { read: ReadAt }, at = 0): Promise<Piece | null> {
  for await (const { marker, payload } of readSegments(file, at + 2)) {
    if (marker !== 0xe1 || payload.length < exifHeadBytes) continue
    const name = (await file.read(payload.at, exifName.length)).toString('latin1')
    if (name === exifName) return { at: payload.at + exifHeadBytes, length: payload.length - exifHeadBytes }
  }
  return null
}

/** Yields the segments before the pixels. Skips invalid bytes between them, as decoders do. Throws ReadLimitExceeded. */
export async function* readSegments(
  file: { read: ReadAt },
  start: number,
): AsyncGenerator<{ marker: number; payload: Piece }> {
  let garbage = 0
  let at = start
  for (let count = 0; count < maxSegments; ) {
    const head = await file.read(at, 4)
    const [first, marker = 0] = head
    if (head.length < 4) return
    if (first !== 0xff || marker === 0xff || marker === 0) {
      if (++garbage > maxGarbageBytes) throw new ReadLimitExceeded()
      at++
      continue
    }
    if (marker === 0xda || marker === 0xd9) return
    const isStandalone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
    const length = isStandalone ? 0 : head.readUInt16BE(2)
    if (length >= 2) yield { marker, payload: { at: at + 4, length: length - 2 } }
    at += 2 + length
    count++
  }
  throw new ReadLimitExceeded()
}

/** A value of extended XMP can begin in one segment and end in the next. Incomplete texts are blanked. */
async function clearExtendedXmp(file: EditedFile, segments: Piece[]): Promise<void> {
  const texts = new Map<string, Array<{ position: number; piece: Piece; total: number }>>()
  for (const { at, length } of segments) {
    const head = await file.read(at, extendedXmpHeadBytes)
    if (head.length < extendedXmpHeadBytes || length < extendedXmpHeadBytes) continue
    const digest = head.toString('latin1', extendedXmpName.length, extendedXmpName.length + 32)
    texts.set(digest, [
      ...(texts.get(digest) ?? []),
      {
        position: head.readUInt32BE(extendedXmpHeadBytes - 4),
        total: head.readUInt32BE(extendedXmpHeadBytes - 8),
        piece: { at: at + extendedXmpHeadBytes, length: length - extendedXmpHeadBytes },
      },
    ])
  }
  for (const parts of texts.values()) {
    parts.sort((a, b) => a.position - b.position)
    let end = 0
    const areConsecutive = parts.every(({ position, piece }) => {
      const isNext = position === end
      end += piece.length
      return isNext
    })
    const pieces = parts.map(({ piece }) => piece)
    const isWhole = areConsecutive && parts.every(({ total }) => total === end)
    await (isWhole ? clearXmp(file, pieces) : blank(file, pieces, 0x20))
  }
}

/** Reads the directory of CIPA's multi-picture format. */
async function readPictureOffsets(file: EditedFile, { at: base, length }: Piece): Promise<number[]> {
  const bytes = await file.read(base, length)
  const isLittle = bytes.toString('latin1', 0, 2) === 'II'
  const read16 = (at: number) =>
    at + 2 > bytes.length ? 0 : isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)
  const read32 = (at: number) =>
    at + 4 > bytes.length ? 0 : isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)
  const directory = read32(4)
  const starts: number[] = []
  for (let index = 0; index < Math.min(read16(directory), 100); index++) {
    const entry = directory + 2 + index * 12
    if (read16(entry) !== pictureListTag) continue
    const [listBytes, list] = [read32(entry + 4), read32(entry + 8)]
    for (let one = 0; one + 16 <= listBytes && one < 16 * maxPictures; one += 16) {
      const offset = read32(list + one + 8)
      if (offset > 0) starts.push(base + offset)
    }
  }
  return starts
}
