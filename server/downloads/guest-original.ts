import { type LocationRow, parsePatches } from '../photos/location-rows.ts'
import { originalKey } from '../photos/photo-files.ts'
import type { PhotoRow } from '../photos/photo-rows.ts'
import { AppError } from '../platform/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { createPatchedReader } from '../platform/storage/patched-reader.ts'
import type { ByteRange, ByteReader } from '../platform/storage/storage.ts'
import { getPhotoLocation } from './find-photo-location.ts'

/** Has the size of the stored file, also without its location data. */
export type GuestOriginal = {
  sizeBytes: number
  /** Strong ETag without quotes. */
  etag: string
  /** Throws FileMissing, also if the file does not have the recorded size. */
  open: (range?: ByteRange) => Promise<ByteReader>
}

type Original = Pick<PhotoRow, 'id' | 'event_id' | 'filename' | 'size_bytes' | 'content_hash'>

/**
 * Throws PREVIEW_UNAVAILABLE if the location data cannot be removed, FileMissing if it must be read and the file is
 * missing.
 */
export async function getGuestOriginal(
  ctx: PlatformContext,
  photo: Original,
  { isLocationStripped }: { isLocationStripped: boolean },
): Promise<GuestOriginal> {
  const { size_bytes: sizeBytes } = photo
  const key = originalKey(photo.event_id, photo.filename)
  const openOriginal = (range: ByteRange = { start: 0, end: sizeBytes - 1 }) =>
    ctx.storage.openReader(key, range, sizeBytes)
  if (!isLocationStripped) return { sizeBytes, etag: photo.content_hash, open: openOriginal }

  const location = await getPhotoLocation(ctx, photo)
  const patches = getPatches(location)
  return {
    sizeBytes,
    etag: location.etag,
    open: async (range = { start: 0, end: sizeBytes - 1 }) => {
      const reader = await openOriginal(range)
      return patches.length === 0 ? reader : createPatchedReader(reader, range, patches)
    },
  }
}

function getPatches({ patches }: LocationRow) {
  if (patches !== null) return parsePatches(patches)
  throw new AppError('PREVIEW_UNAVAILABLE', { text: 'What this file tells of its place cannot be removed.' })
}
