import { extname } from 'node:path/posix'
import { must } from '../../contract/must.ts'
import type { ChosenPhoto } from '../photos/lists/choose-photos.ts'
import type { LocationRow } from '../photos/location-rows.ts'
import { type KeptJpeg, originalKey, renditionKey } from '../photos/photo-files.ts'
import type { ReadyRendition } from '../photos/renditions/rendition-rows.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { createPatchedReader, parsePatches } from '../platform/storage/byte-patches.ts'
import type { ByteRange, ByteReader, Storage } from '../platform/storage/storage.ts'
import { getDownloadName, getJpegName, replaceExtension } from './download-name.ts'

export type ArchiveFile = {
  photo: ChosenPhoto
  /** The download name. `createArchiveNames` makes it safe and unique. */
  name: string
  sizeBytes: number
  crc32: number
  etag: string
  open: (range: ByteRange) => Promise<ByteReader>
}

/** File sizes in bytes, by storage key. */
export type StoredSizes = ReadonlyMap<string, number>

export async function listStoredSizes(storage: Storage, prefix: string): Promise<StoredSizes> {
  const sizes = new Map<string, number>()
  for await (const { key, sizeBytes } of storage.list(prefix)) sizes.set(key, sizeBytes)
  return sizes
}

/** Returns null if the file is missing or has another size. */
export function findOriginalFile(
  { storage }: PlatformContext,
  photo: ChosenPhoto,
  sizes: StoredSizes,
): ArchiveFile | null {
  const key = originalKey(photo.event_id, photo.filename)
  if (sizes.get(key) !== photo.size_bytes) return null
  return {
    photo,
    name: getDownloadName(photo),
    sizeBytes: photo.size_bytes,
    crc32: photo.crc32,
    etag: photo.content_hash,
    open: (range) => storage.openReader(key, range),
  }
}

/** Returns null if the file is missing or has another size. */
export function findJpegFile(
  { storage }: PlatformContext,
  photo: ChosenPhoto,
  { key, sizeBytes, etag }: KeptJpeg,
  sizes: StoredSizes,
): ArchiveFile | null {
  if (sizes.get(key) !== sizeBytes) return null
  const crc32 = must(photo.still_crc32, 'the checksum of a still')
  return { photo, name: getJpegName(photo), sizeBytes, crc32, etag, open: (range) => storage.openReader(key, range) }
}

/** Returns null if the location cannot be removed. */
export function stripLocation(original: ArchiveFile, { patches, crc32, etag }: LocationRow): ArchiveFile | null {
  if (patches === null) return null
  if (etag === original.etag) return original
  // Does not read the row again: the photo may be replaced or deleted during the download.
  const open = async (range: ByteRange) => createPatchedReader(await original.open(range), range, parsePatches(patches))
  return { ...original, crc32, etag, open }
}

/** Returns null if the file is missing or has another size. */
export function findRenditionFile(
  { storage }: PlatformContext,
  photo: ChosenPhoto,
  { filename, size_bytes: sizeBytes, crc32, sha256 }: ReadyRendition,
  sizes: StoredSizes,
): ArchiveFile | null {
  const key = renditionKey(photo.event_id, filename)
  if (sizes.get(key) !== sizeBytes) return null
  const name = replaceExtension(photo.original_filename, extname(filename))
  return { photo, name, sizeBytes, crc32, etag: sha256, open: (range) => storage.openReader(key, range) }
}
