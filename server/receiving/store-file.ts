import type { CompiledQuery } from 'kysely'
import { locationRow, storeLocation } from '../photos/location-rows.ts'
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
import { acceptedImageKinds, maxBufferedBytes, rejectedImageError, validateVideo } from '../photos/photo-rules.ts'
import { AppError } from '../platform/app-error.ts'
import { runTogether } from '../platform/database/compile-once.ts'
import type { Tx } from '../platform/database/tables.ts'
import { imageKinds } from '../platform/media/image-kinds.ts'
import type { LocationChange } from '../platform/media/image-tasks.ts'
import { ImageWorkerLost, type JobPriority } from '../platform/media/image-workers.ts'
import { videoKinds } from '../platform/media/video/video-header.ts'
import type { ReceivedFile } from '../platform/storage/received-file.ts'
import type { XmpMarks } from '../platform/xmp/read-xmp.ts'
import type { AppContext } from '../settings/app-context.ts'
import { queueVideo } from '../videos/video-job-rows.ts'

type Family = PhotoRow['media_type']

type StoreOptions = {
  file: ReceivedFile
  family: Family
  priority?: JobPriority
  /** Whether to read rating and label that are embedded in an image. */
  readsMarks?: boolean
}

/**
 * Stores the file, and a thumbnail for an image, then calls `record`. After an error, removes the stored files, see
 * `rollBackFiles`. Throws UNSUPPORTED_MEDIA_TYPE for an empty file, UNREADABLE_IMAGE, StorageFull, and the errors of
 * `rejectedImageError`, `validateVideo` and `record`.
 */
export async function storeFile<T>(
  ctx: AppContext,
  eventId: number,
  { file, family, priority = 'normal', readsMarks = false }: StoreOptions,
  record: (stored: FileColumns, location: LocationChange | null, marks: XmpMarks | null) => Promise<T>,
): Promise<T> {
  const { storage, clock } = ctx
  if (file.sizeBytes === 0) throw new AppError('UNSUPPORTED_MEDIA_TYPE', { text: 'The file is empty.' })
  const thumbnail = family === 'image' ? await stageThumbnail(ctx, eventId) : null
  const staged: Array<{ stagedPath: string; key: string }> = thumbnail ? [thumbnail] : []
  try {
    const [content] = await Promise.all([
      thumbnail ? readImage(ctx, file.path, thumbnail, { priority, readsMarks }) : readVideo(ctx, file.path, priority),
      file.synced,
    ])
    const { extension, mimeType, location, marks, columns } = content
    const filename = chooseStoredName(file.finalName, extension, clock.now())
    staged.push({ stagedPath: file.path, key: originalKey(eventId, filename) })
    await storage.commit(staged)
    const names = { filename, original_filename: sanitizeOriginalName(file.clientName, extension) }
    const stored = {
      ...names,
      search_text: createSearchText(names),
      media_type: family,
      mime_type: mimeType,
      size_bytes: file.sizeBytes,
      content_hash: file.contentHash,
      crc32: file.crc32,
      ...columns,
    }
    return await record(stored, location, marks)
  } catch (error) {
    const keys = staged.map(({ key }) => key)
    await Promise.all([rollBackFiles(storage, keys, error), thumbnail && storage.discard(thumbnail.stagedPath)])
    throw error
  }
}

type StagedThumbnail = { stagedPath: string; filename: string; key: string }

async function stageThumbnail({ storage, clock }: AppContext, eventId: number): Promise<StagedThumbnail> {
  const stagedPath = await storage.stage()
  // Unique per attempt, so that cleaning up a failed attempt never removes a file of another attempt.
  const filename = `${newFileStem(clock.now())}_thumb.jpg`
  return { stagedPath, filename, key: thumbnailKey(eventId, filename) }
}

async function readImage(
  { imageWorkers, settings, log }: AppContext,
  sourcePath: string,
  { stagedPath: thumbnailPath, filename }: StagedThumbnail,
  { priority, readsMarks }: { priority: JobPriority; readsMarks: boolean },
) {
  const accepts = acceptedImageKinds(await settings.values())
  const task = { kind: 'receive', sourcePath, thumbnailPath, maxBufferedBytes, accepts, readsMarks } as const
  const result = await imageWorkers.run(task, priority).catch((error) => {
    if (!(error instanceof ImageWorkerLost)) throw error
    log.warn('An image worker failed while processing an image')
    throw new AppError('UNREADABLE_IMAGE')
  })
  if (result.outcome === 'rejected') {
    log.info({ reason: result.reason }, 'An image was rejected')
    throw rejectedImageError(result)
  }
  if (!('width' in result.facts)) throw rejectedImageError({ cause: 'kind', imageKind: result.facts.imageKind })
  const { imageKind, width, height, capturedAt, thumbhash, thumbnail, location, marks } = result.facts
  const columns = {
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
  return { ...imageKinds[imageKind], location, marks, columns }
}

async function readVideo({ imageWorkers, settings, log }: AppContext, sourcePath: string, priority: JobPriority) {
  const values = await settings.values()
  const result = await imageWorkers.run({ kind: 'inspect-video', sourcePath }, priority).catch((error) => {
    if (!(error instanceof ImageWorkerLost)) throw error
    log.warn('An image worker failed while reading a video')
    throw new AppError('UNREADABLE_IMAGE', { text: 'The video cannot be read.' })
  })
  if (result.outcome === 'rejected') {
    log.info({ reason: result.reason }, 'A video was rejected')
    throw new AppError('UNREADABLE_IMAGE', { text: 'The video cannot be read.' })
  }
  const { header, location } = result.facts
  return { ...videoKinds[validateVideo(header, values)], location, marks: null, columns: unprocessedVideo }
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
  still_crc32: null,
  still_sha256: null,
  processing_status: 'processing' as const,
  processing_error: null,
}

/** Runs `further` queries with its own. After the commit, the calling function must call `notifyStored`. */
export async function recordFile(
  tx: Tx,
  photo: PhotoRow,
  location: LocationChange | null,
  further: readonly CompiledQuery[],
): Promise<void> {
  await runTogether(tx, [storeLocation(tx, locationRow(photo, location)), ...further])
  if (photo.media_type === 'video') await queueVideo(tx, photo)
}

export function notifyStored({ changes }: AppContext, { id, event_id, media_type }: PhotoRow): void {
  changes.notify('photo', id)
  changes.notify('live', event_id)
  changes.notify('delivery', event_id)
  if (media_type === 'video') changes.notify('video', id)
}
