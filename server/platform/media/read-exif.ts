import { stat } from 'node:fs/promises'
import { type ExifTags, readTags } from './exif-tags.ts'
import { detectKind } from './image-header.ts'
import { EditedFile, type Piece } from './location/edited-file.ts'
import { findHeifExif } from './location/heif-location.ts'
import { findJpegExif } from './location/jpeg-location.ts'
import { detectRawKind } from './raw/detect-raw-kind.ts'
import { readRawTags } from './raw/read-raw-tags.ts'
import { withReadAt } from './read-at.ts'

const maxPngChunks = 1000
const pngSignatureBytes = 8

/**
 * Returns the tags of a JPEG, PNG, HEIC, AVIF, TIFF or raw file; none if it cannot be read. The work is bounded: two
 * directories, single numbers, and short texts. Texts are without spaces at their ends.
 */
export async function readExif(path: string): Promise<ExifTags> {
  try {
    const { size } = await stat(path)
    return await withReadAt(path, async (read) => {
      const file = new EditedFile(read, size)
      const raw = await detectRawKind(read, size)
      if (raw) return await readRawTags(file, raw)
      const block = await findBlock(file)
      return block ? await readTags(file, block) : {}
    })
  } catch {
    return {}
  }
}

/** Returns the place of the TIFF header and all that follows it. */
async function findBlock(file: EditedFile): Promise<Piece | null> {
  const start = await file.read(0, 64)
  // Some raw formats have another number than TIFF after the byte order.
  if (/^(II|MM)/.test(start.toString('latin1', 0, 2))) return { at: 0, length: file.sizeBytes }
  switch (detectKind(start)) {
    case 'jpeg':
      return findJpegExif(file)
    case 'png':
      return findPngExif(file)
    case 'heic':
    case 'avif':
      return findHeifExif(file)
    default:
      return null
  }
}

async function findPngExif(file: EditedFile): Promise<Piece | null> {
  let at = pngSignatureBytes
  for (let count = 0; count < maxPngChunks; count++) {
    const head = await file.read(at, 8)
    if (head.length < 8) return null
    const length = head.readUInt32BE(0)
    const type = head.toString('latin1', 4)
    if (type === 'eXIf') return { at: at + 8, length }
    if (type === 'IDAT') return null
    at += 12 + length
  }
  return null
}
