import { AppError } from '../platform/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { patchedReader } from '../platform/storage/patched-reader.ts'
import type { ByteRange, ByteReader } from '../platform/storage/storage.ts'
import { getPhotoLocation } from './find-photo-location.ts'
import { type LocationRow, readPatches } from './location-rows.ts'
import { originalKey } from './photo-files.ts'
import type { PhotoRow } from './photo-rows.ts'

/** An original as a guest gets it: of the size of the stored one, which stays as it is. */
export type GuestOriginal = {
  sizeBytes: number
  /** Strong, of the very bytes, without quotes. */
  etag: string
  /** Throws FileMissing, also for a file that is not of its size. */
  open: (range?: ByteRange) => Promise<ByteReader>
}

type Original = Pick<PhotoRow, 'id' | 'event_id' | 'filename' | 'size_bytes' | 'content_hash'>

/**
 * The original byte for byte, or with its location fields blanked, at no other cost than a look-up by key.
 * Throws PREVIEW_UNAVAILABLE where nobody can say what the file tells, and for photos from before the location was
 * looked for at ingest FileMissing.
 */
export async function guestOriginal(
  ctx: PlatformContext,
  photo: Original,
  { isStripped }: { isStripped: boolean },
): Promise<GuestOriginal> {
  const { size_bytes: sizeBytes } = photo
  const key = originalKey(photo.event_id, photo.filename)
  const openPlain = (range: ByteRange = { start: 0, end: sizeBytes - 1 }) =>
    ctx.storage.openReader(key, range, sizeBytes)
  if (!isStripped) return { sizeBytes, etag: photo.content_hash, open: openPlain }

  const location = await getPhotoLocation(ctx, photo)
  const patches = patchesOf(location)
  return {
    sizeBytes,
    etag: location.etag,
    open: async (range = { start: 0, end: sizeBytes - 1 }) => {
      const reader = await openPlain(range)
      return patches.length === 0 ? reader : patchedReader(reader, range, patches)
    },
  }
}

function patchesOf({ patches }: LocationRow) {
  if (patches !== null) return readPatches(patches)
  throw new AppError('PREVIEW_UNAVAILABLE', { text: 'What this file tells of its place cannot be removed.' })
}
