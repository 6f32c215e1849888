import { extname } from 'node:path/posix'
import type { PlatformContext } from '../platform/platform-context.ts'
import { patchedReader } from '../platform/storage/patched-reader.ts'
import type { ByteRange, ByteReader, Storage } from '../platform/storage/storage.ts'
import type { ChosenPhoto } from './choose-photos.ts'
import { nameOfOriginal, renamed } from './handed-out-name.ts'
import { type LocationRow, readPatches } from './location-rows.ts'
import { originalKey, renditionKey } from './photo-files.ts'
import type { ReadyRendition } from './ready-renditions.ts'

/** What an archive sends of one photo. */
export type PhotoFile = {
  photo: ChosenPhoto
  /** As the client knows it; the archive makes it safe and unique. */
  name: string
  sizeBytes: number
  crc32: number
  /** Of the very bytes. */
  etag: string
  open: (range: ByteRange) => Promise<ByteReader>
}

/** Of the stored files by their keys, as one listing tells them. */
export type StoredSizes = ReadonlyMap<string, number>

export async function storedSizes(storage: Storage, prefix: string): Promise<StoredSizes> {
  const sizes = new Map<string, number>()
  for await (const { key, sizeBytes } of storage.list(prefix)) sizes.set(key, sizeBytes)
  return sizes
}

/** The original; null where it is not in the storage, of the size it was received with. */
export function originalFile({ storage }: PlatformContext, photo: ChosenPhoto, sizes: StoredSizes): PhotoFile | null {
  const key = originalKey(photo.event_id, photo.filename)
  if (sizes.get(key) !== photo.size_bytes) return null
  return {
    photo,
    name: nameOfOriginal(photo),
    sizeBytes: photo.size_bytes,
    crc32: photo.crc32,
    etag: photo.content_hash,
    open: (range) => storage.openReader(key, range),
  }
}

/** The same with its location blanked; null where that cannot be done. */
export function strippedFile(original: PhotoFile, { patches, crc32, etag }: LocationRow): PhotoFile | null {
  if (patches === null) return null
  if (etag === original.etag) return original
  // What is being sent stays what it is, though the photo be replaced or deleted meanwhile.
  const open = async (range: ByteRange) => patchedReader(await original.open(range), range, readPatches(patches))
  return { ...original, crc32, etag, open }
}

/** The kept picture that stands for the full size; null where it has gone from the storage or is not of its size. */
export function renditionFile(
  { storage }: PlatformContext,
  photo: ChosenPhoto,
  { filename, size_bytes: sizeBytes, crc32, sha256 }: ReadyRendition,
  sizes: StoredSizes,
): PhotoFile | null {
  const key = renditionKey(photo.event_id, filename)
  if (sizes.get(key) !== sizeBytes) return null
  const name = renamed(photo.original_filename, extname(filename))
  return { photo, name, sizeBytes, crc32, etag: sha256, open: (range) => storage.openReader(key, range) }
}
