import { crc32 } from 'node:zlib'
import { clearExif, clearXmp } from './clear-metadata.ts'
import { type EditedFile, ReadLimitExceeded } from './edited-file.ts'

const maxChunks = 100_000
const pngSignatureBytes = 8
const webpHeadBytes = 12
/** A chunk type that every reader skips: ancillary, private, safe to copy. */
const emptyChunk = Buffer.from('blNk')
const xmpKeyword = 'XML:com.adobe.xmp\0'
const maxTextHeadLength = 200
const pieceBytes = 65_536

/** Also clears the metadata after the end of the picture, because some programs read it. Throws ReadLimitExceeded. */
export async function clearPng(file: EditedFile): Promise<void> {
  let at = pngSignatureBytes
  for (let count = 0; count < maxChunks; count++) {
    const head = await file.read(at, 8)
    if (head.length < 8) return
    const length = head.readUInt32BE(0)
    const type = head.toString('latin1', 4)
    const editsBefore = file.edits
    if (type === 'eXIf') await clearExif(file, [{ at: at + 8, length }])
    if (type === 'iTXt' || type === 'tEXt' || type === 'zTXt') await clearText(file, at, length)
    if (file.edits > editsBefore) await updateCrc(file, at, length)
    at += 12 + length
  }
  throw new ReadLimitExceeded()
}

/** Clears plain XMP. Empties other texts that may have a location: compressed XMP, raw profiles, some keywords. */
async function clearText(file: EditedFile, at: number, length: number): Promise<void> {
  const start = at + 8
  const text = (await file.read(start, Math.min(length, maxTextHeadLength))).toString('latin1')
  const keyword = text.slice(0, text.indexOf('\0'))
  if (text.startsWith(xmpKeyword)) {
    const isCompressed = text[xmpKeyword.length] !== '\0'
    // After the keyword: compression flag and method, then the NUL-terminated language and translated keyword.
    const languageEnd = text.indexOf('\0', xmpKeyword.length + 2)
    const headEnd = text.indexOf('\0', languageEnd + 1) + 1
    const isPlain = !isCompressed && languageEnd > 0 && headEnd > 0
    if (isPlain) return clearXmp(file, [{ at: start + headEnd, length: length - headEnd }])
  }
  const isOtherMetadata =
    text.startsWith(xmpKeyword) || /^raw profile type|gps|location|^xmp$|latitude|geo/i.test(keyword)
  if (!isOtherMetadata) return
  await file.write(at + 4, emptyChunk)
  await file.fill(start, length, 0)
}

async function updateCrc(file: EditedFile, at: number, length: number): Promise<void> {
  let sum = 0
  for (let done = 0; done < length + 4; done += pieceBytes) {
    sum = crc32(await file.read(at + 4 + done, Math.min(pieceBytes, length + 4 - done)), sum)
  }
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(sum)
  await file.write(at + 8 + length, bytes)
}

export async function clearWebp(file: EditedFile): Promise<void> {
  let at = webpHeadBytes
  for (let count = 0; count < maxChunks; count++) {
    const head = await file.read(at, 8)
    if (head.length < 8) return
    const length = head.readUInt32LE(4)
    const type = head.toString('latin1', 0, 4)
    if (type === 'EXIF') await clearExif(file, [{ at: at + 8, length }])
    if (type === 'XMP ') await clearXmp(file, [{ at: at + 8, length: Math.min(length, file.sizeBytes - at - 8) }])
    at += 8 + length + (length & 1)
  }
  throw new ReadLimitExceeded()
}

const gifHeadBytes = 13
const xmpApplication = 'XMP DataXMP'
/** Size of the trailer after XMP in a GIF, for programs that read the bytes of XMP as block lengths. */
const trailerBytes = 257

/** Application extensions with XMP may follow any block. EditedFile limits how much is read. */
export async function clearGif(file: EditedFile): Promise<void> {
  const head = await file.read(0, gifHeadBytes)
  let at = gifHeadBytes + colorTableBytes(head[10])
  for (;;) {
    const [kind, label, size = 0] = await file.read(at, 3)
    if (kind === 0x21 && label === 0xff && (await file.read(at + 3, size)).toString('latin1') === xmpApplication) {
      const end = await findEndOfBlocks(file, at + 3 + size)
      const length = end - trailerBytes - 1 - (at + 3 + size)
      if (length > 0) await clearXmp(file, [{ at: at + 3 + size, length }])
      at = end
    } else if (kind === 0x21) at = await findEndOfBlocks(file, at + 2)
    else if (kind === 0x2c) {
      const [flags] = await file.read(at + 9, 1)
      at = await findEndOfBlocks(file, at + 11 + colorTableBytes(flags))
    } else return
  }
}

const colorTableBytes = (flags = 0): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))

async function findEndOfBlocks(file: EditedFile, start: number): Promise<number> {
  let at = start
  for (;;) {
    const [length = 0] = await file.read(at, 1)
    at += 1 + length
    if (length === 0) return at
  }
}
