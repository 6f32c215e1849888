import { readCr3 } from '../raw/cr3-boxes.ts'
import type { RawKind } from '../raw/detect-raw-kind.ts'
import { listPictures } from '../raw/list-pictures.ts'
import { rawTags, readDirectories } from '../raw/raw-directories.ts'
import { limitFile, type RawSource } from '../raw/raw-source.ts'
import { blockClearers, clearUuidBox } from './clear-metadata.ts'
import type { EditedFile, Piece } from './edited-file.ts'
import { clearJpeg } from './jpeg-location.ts'
import { clearTiff } from './tiff-location.ts'

const tiffHeaderBytes = 8

/**
 * Removes the location from EXIF, XMP and IPTC of a raw file and of its embedded pictures. Returns false for a file that
 * cannot be parsed as a whole, or that contains another raw file. Throws ReadLimitExceeded.
 */
export async function clearRaw(file: EditedFile, kind: RawKind): Promise<boolean> {
  const source = limitFile(file)
  const { pictures, isComplete } = await listPictures(source, kind)
  if (!isComplete || !(await clearContainer(file, source, kind))) return false
  let cleared = 0
  for (const { at } of pictures) {
    const isJpeg = (await file.read(at, 2)).toString('hex') === 'ffd8'
    if (!isJpeg) continue
    await clearJpeg(file, at)
    cleared++
  }
  // All metadata of a RAF file is in its picture.
  return kind !== 'raf' || cleared > 0
}

async function clearContainer(file: EditedFile, source: RawSource, kind: RawKind): Promise<boolean> {
  if (kind === 'raf') return true
  if (kind === 'cr3') return clearCr3(file, source)
  const block = { at: 0, length: file.sizeBytes }
  if (kind === 'dng' && (await hasEmbeddedOriginal(source, block))) return false
  return clearTiff(file, block, blockClearers)
}

/** The file from which a program has made a DNG, compressed and with its metadata. */
async function hasEmbeddedOriginal(source: RawSource, block: Piece): Promise<boolean> {
  const { directories } = await readDirectories(source, block)
  return directories.some((directory) => directory.entry(rawTags.embeddedOriginal))
}

async function clearCr3(file: EditedFile, source: RawSource): Promise<boolean> {
  const { main, exif, gps, uuids } = await readCr3(source)
  if (!main) return false
  for (const uuid of uuids) await clearUuidBox(file, uuid)
  // The header stays, so that the block is an empty directory.
  if (gps) await file.fill(gps.at + tiffHeaderBytes, gps.length - tiffHeaderBytes, 0)
  return (await clearTiff(file, main, blockClearers)) && (!exif || clearTiff(file, exif, blockClearers))
}
