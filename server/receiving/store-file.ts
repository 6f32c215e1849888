import { recordLocation } from '../photos/location-rows.ts'
import {
  chooseStoredName,
  newFileStem,
  originalKey,
  rollBackFiles,
  sanitizeOriginalName,
  thumbnailKey,
} from '../photos/photo-files.ts'
import { createSearchText } from '../photos/photo-names.ts'
import type { FileColumns, PhotoRow } from '../photos/photo-rows.ts'
import { maxBufferedBytes, tooManyPixelsError, validateImage, validateVideo } from '../photos/photo-rules.ts'
import { AppError } from '../platform/app-error.ts'
import type { Tx } from '../platform/database/tables.ts'
import { estimateDecodingBytes, type ImageHeader, imageKinds, readImageHeader } from '../platform/media/image-header.ts'
import { ImageWorkerLost } from '../platform/media/image-workers.ts'
import { findLocationPatches, type LocationPatches } from '../platform/media/location/find-location.ts'
import { readVideoHeader, videoKinds } from '../platform/media/video-header.ts'
import type { ReceivedFile } from '../platform/storage/received-file.ts'
import type { StagedFile } from '../platform/storage/write-staged.ts'
import type { AppContext } from '../settings/app-context.ts'
import { queueVideo } from '../videos/video-job-rows.ts'

type Family = PhotoRow['media_type']

/**
 * Stores the file, and a thumbnail for an image, then calls `record`. After an error, removes the stored files, see
 * `rollBackFiles`. Throws UNSUPPORTED_MEDIA_TYPE for an empty file, UNREADABLE_IMAGE, and the errors of
 * `readAllowedContent`.
 */
export async function storeFile<T>(
  ctx: AppContext,
  eventId: number,
  { file, family }: { file: ReceivedFile; family: Family },
  record: (stored: FileColumns, location: LocationPatches | null) => Promise<T>,
): Promise<T> {
  const { storage, clock } = ctx
  if (file.sizeBytes === 0) throw new AppError('UNSUPPORTED_MEDIA_TYPE', { text: 'The file is empty.' })
  const { kind, image, extension, mimeType } = await readAllowedContent(ctx, file, family)
  const filename = chooseStoredName(file.finalName, extension, clock.now())
  const original = { stagedPath: file.path, key: originalKey(eventId, filename) }
  const thumbnail = image && (await stageThumbnail(ctx, eventId, image))
  const files = thumbnail ? [original, thumbnail] : [original]
  try {
    const [made, location] = await Promise.all([
      thumbnail ? makeThumbnail(ctx, file.path, thumbnail) : unprocessedVideo,
      findLocationPatches(file.path, kind, file),
      file.synced,
    ])
    await storage.commit(files)
    const names = { filename, original_filename: sanitizeOriginalName(file.clientName, extension) }
    const stored = {
      ...names,
      search_text: createSearchText(names),
      media_type: family,
      mime_type: mimeType,
      size_bytes: file.sizeBytes,
      content_hash: file.contentHash,
      crc32: file.crc32,
      ...made,
    }
    return await record(stored, location)
  } catch (error) {
    const keys = files.map(({ key }) => key)
    await Promise.all([rollBackFiles(storage, keys, error), thumbnail && storage.discard(thumbnail.stagedPath)])
    throw error
  }
}

/** In the result, `image` is null for videos. Throws the errors of `validateImage` and `validateVideo`. */
export async function readAllowedContent(
  { settings }: AppContext,
  { path, sizeBytes, head }: StagedFile,
  family: Family,
) {
  const values = await settings.values()
  if (family === 'video') {
    const kind = validateVideo(await readVideoHeader(path, sizeBytes, head), values)
    return { kind, image: null, ...videoKinds[kind] }
  }
  const image = validateImage(await readImageHeader(path, head), values)
  return { kind: image.kind, image, ...imageKinds[image.kind] }
}

type StagedThumbnail = { stagedPath: string; filename: string; key: string; decodingBytes: number }

async function stageThumbnail({ storage, clock }: AppContext, eventId: number, image: ImageHeader) {
  const stagedPath = await storage.stage()
  // Unique per attempt, so that cleaning up a failed attempt never removes a file of another attempt.
  const filename = `${newFileStem(clock.now())}_thumb.jpg`
  return { stagedPath, filename, key: thumbnailKey(eventId, filename), decodingBytes: estimateDecodingBytes(image) }
}

async function makeThumbnail(
  { imageWorkers, log }: AppContext,
  sourcePath: string,
  { stagedPath: thumbnailPath, filename, decodingBytes }: StagedThumbnail,
) {
  const task = { kind: 'thumbnail', sourcePath, thumbnailPath, maxBufferedBytes } as const
  let isTooLarge = false
  try {
    const result = await imageWorkers.run(task, decodingBytes)
    if (result.outcome === 'made') {
      const { width, height, capturedAt, thumbhash, thumbnail } = result.facts
      return {
        ...unprocessedVideo,
        width,
        height,
        captured_at: capturedAt,
        thumbhash,
        thumbnail_filename: filename,
        thumbnail_size_bytes: thumbnail.sizeBytes,
        thumbnail_sha256: thumbnail.sha256,
        processing_status: 'ready' as const,
      }
    }
    log.info({ reason: result.reason }, 'An image was rejected')
    isTooLarge = result.isTooLarge
  } catch (error) {
    if (!(error instanceof ImageWorkerLost)) throw error
    log.warn('An image worker failed while processing an image')
  }
  throw isTooLarge ? tooManyPixelsError() : new AppError('UNREADABLE_IMAGE')
}

/** `videos/process-video.ts` sets the columns of a video later. */
const unprocessedVideo = {
  width: null,
  height: null,
  duration: null,
  captured_at: null,
  thumbhash: null,
  thumbnail_filename: null,
  thumbnail_size_bytes: null,
  thumbnail_sha256: null,
  still_filename: null,
  still_size_bytes: null,
  processing_status: 'processing' as const,
  processing_error: null,
}

/** After the commit, the calling function must call `notifyStored`. */
export async function recordFile(tx: Tx, photo: PhotoRow, location: LocationPatches | null): Promise<void> {
  await recordLocation(tx, photo, location)
  if (photo.media_type === 'video') await queueVideo(tx, photo)
}

export function notifyStored({ changes }: AppContext, { id, event_id, media_type }: PhotoRow): void {
  changes.notify('photo', id)
  changes.notify('live', event_id)
  changes.notify('delivery', event_id)
  if (media_type === 'video') changes.notify('video', id)
}
