import { findLocationRow, type LocationRow, recordLocation } from '../photos/location-rows.ts'
import { originalKey } from '../photos/photo-files.ts'
import { getPhoto, type PhotoRow } from '../photos/photo-rows.ts'
import { inSnapshot, inTransaction } from '../platform/database/transaction.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { BackgroundCanceled, type BackgroundPriority, ImageWorkerLost } from '../platform/media/image-workers.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { createPatchedReader, parsePatches } from '../platform/storage/byte-patches.ts'
import type { ByteRange, ByteReader } from '../platform/storage/storage.ts'

type PhotoToLocate = Pick<PhotoRow, 'id' | 'event_id' | 'filename' | 'content_hash'>

/**
 * Reads the file if the location is not recorded. Throws FileMissing, NOT_FOUND, and UNAVAILABLE if the photo is
 * replaced during the call.
 */
export async function getPhotoLocation(ctx: PlatformContext, photo: PhotoToLocate): Promise<LocationRow> {
  const known = await findLocationRow(ctx.db, photo.id)
  return known?.content_hash === photo.content_hash ? known : readPhotoLocation(ctx, photo)
}

/** An original as guests get it. Removing its location data does not change its size. */
export type GuestOriginal = {
  sizeBytes: number
  /** Strong ETag without quotes. */
  etag: string
  /** Throws FileMissing if the file is missing or does not have the recorded size. */
  open: (range?: ByteRange) => Promise<ByteReader>
}

/** Throws the errors of `getPhotoLocation`, and PREVIEW_UNAVAILABLE if the location data cannot be removed. */
export async function getGuestOriginal(
  ctx: PlatformContext,
  photo: PhotoToLocate & Pick<PhotoRow, 'size_bytes'>,
  { isLocationStripped }: { isLocationStripped: boolean },
): Promise<GuestOriginal> {
  const { size_bytes: sizeBytes } = photo
  const key = originalKey(photo.event_id, photo.filename)
  const openOriginal = (range: ByteRange = { start: 0, end: sizeBytes - 1 }) =>
    ctx.storage.openReader(key, range, sizeBytes)
  if (!isLocationStripped) return { sizeBytes, etag: photo.content_hash, open: openOriginal }

  const { etag, patches: serialized } = await getPhotoLocation(ctx, photo)
  if (serialized === null) {
    throw new AppError('PREVIEW_UNAVAILABLE', { text: 'The location data of this file cannot be removed.' })
  }
  const patches = parsePatches(serialized)
  return {
    sizeBytes,
    etag,
    open: async (range = { start: 0, end: sizeBytes - 1 }) => {
      const reader = await openOriginal(range)
      return patches.length === 0 ? reader : createPatchedReader(reader, range, patches)
    },
  }
}

async function readPhotoLocation(
  ctx: PlatformContext,
  photo: PhotoToLocate,
  background?: BackgroundPriority,
): Promise<LocationRow> {
  const { db, storage, imageWorkers, log } = ctx
  const result = await storage
    .withLocalFile(originalKey(photo.event_id, photo.filename), (sourcePath) =>
      imageWorkers.run({ kind: 'location', sourcePath }, background),
    )
    .catch((error) => {
      throw error instanceof ImageWorkerLost ? new AppError('PREVIEW_UNAVAILABLE') : error
    })
  if (result.outcome === 'rejected') log.warn({ reason: result.reason }, 'Could not look for the location of a photo')
  const found = result.outcome === 'made' ? result.facts.location : null
  return inTransaction(db, `event ${photo.event_id}`, async (tx) => {
    const present = await getPhoto(tx, photo.event_id, photo.id)
    if (present.content_hash !== photo.content_hash) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 })
    return recordLocation(tx, present, found)
  })
}

const photosPerBatch = 100
/** After this many failures in a row `recordMissingLocations` ends: the storage is probably unavailable. */
const maxFailuresInARow = 20

/** Records the location of all images without a recorded location, such as those from older releases. */
export async function recordMissingLocations(ctx: PlatformContext): Promise<void> {
  const background = { promoted: new AbortController().signal }
  let failures = 0
  for (let lastId = 0; ; ) {
    const photos = await findPhotosWithoutLocation(ctx, lastId)
    for (const photo of photos) {
      lastId = photo.id
      const error = await readPhotoLocation(ctx, photo, background).then(
        () => null,
        (err: unknown) => err,
      )
      if (error instanceof BackgroundCanceled) return
      if (error) ctx.log.warn({ err: error, photoId: photo.id }, 'Could not read the location of a photo')
      failures = error ? failures + 1 : 0
      if (failures === maxFailuresInARow) return
    }
    if (photos.length < photosPerBatch) return
  }
}

/** On SQLite, a transaction runs on the writer thread, so this query does not start the reader thread. */
const findPhotosWithoutLocation = ({ db }: PlatformContext, after: number): Promise<PhotoToLocate[]> =>
  inSnapshot(db, (tx) =>
    tx
      .selectFrom('photos')
      .leftJoin('photo_locations', (join) =>
        join
          .onRef('photo_locations.photo_id', '=', 'photos.id')
          .onRef('photo_locations.content_hash', '=', 'photos.content_hash'),
      )
      .select(['photos.id', 'photos.event_id', 'photos.filename', 'photos.content_hash'])
      .where('photos.id', '>', after)
      .where('photos.media_type', '=', 'image')
      .where('photo_locations.photo_id', 'is', null)
      .orderBy('photos.id')
      .limit(photosPerBatch)
      .execute(),
  )
