import type { CompiledQuery } from 'kysely'
import { locationRow, storeLocation } from '../photos/location-rows.ts'
import {
  chooseStoredName,
  newFileStem,
  originalKey,
  rollBackFiles,
  sanitizeOriginalName,
  stillKey,
  thumbnailKey,
} from '../photos/photo-files.ts'
import { createSearchText } from '../photos/photo-names.ts'
import type { FileColumns, PhotoRow } from '../photos/photo-rows.ts'
import { acceptedImageKinds, maxBufferedBytes, validateVideo } from '../photos/photo-rules.ts'
import { queueVideo } from '../photos/videos/video-job-rows.ts'
import { runTogether } from '../platform/database/compile-once.ts'
import type { Tx } from '../platform/database/tables.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { imageKinds } from '../platform/media/image-kinds.ts'
import type { LocationChange, StillFacts } from '../platform/media/image-tasks.ts'
import { ImageWorkerLost, type JobPriority } from '../platform/media/image-workers.ts'
import { videoKinds } from '../platform/media/video/video-header.ts'
import type { ReceivedFile } from '../platform/storage/received-file.ts'
import type { XmpMarks } from '../platform/xmp/read-xmp.ts'
import type { AppContext } from '../settings/app-context.ts'
import { makeStill, readOrReject } from './make-still.ts'

type Family = PhotoRow['media_type']

type StoreOptions = {
  file: ReceivedFile
  family: Family
  priority?: JobPriority
  /** Whether to read rating and label that are embedded in an image. */
  readsMarks?: boolean
}

/**
 * Stores the file, and for an image a thumbnail and maybe a still, then calls `record`. After an error, removes the stored files, see
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
  const derived = family === 'image' ? await stageDerived(ctx, eventId) : null
  const staged: StagedFile[] = []
  try {
    const [content] = await Promise.all([
      derived ? readImage(ctx, file, derived, { priority, readsMarks }) : readVideo(ctx, file.path, priority),
      file.synced,
    ])
    const { extension, mimeType, location, marks, columns } = content
    const filename = chooseStoredName(file.finalName, extension, clock.now())
    if (columns.still_filename !== null && derived) staged.push(derived.still)
    if (derived) staged.push(derived.thumbnail)
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
    await Promise.all([
      rollBackFiles(storage, keys, error),
      derived && storage.discard(derived.thumbnail.stagedPath),
      derived && storage.discard(derived.still.stagedPath),
    ])
    throw error
  }
}

type StagedFile = { stagedPath: string; key: string }
type NamedFile = StagedFile & { filename: string }
type DerivedFiles = { thumbnail: NamedFile; still: NamedFile }

/** Most images need no still. Then nothing is written under its path. */
async function stageDerived({ storage, clock }: AppContext, eventId: number): Promise<DerivedFiles> {
  const [thumbnailPath, stillPath] = await Promise.all([storage.stage(), storage.stage()])
  // Unique per attempt, so that cleaning up a failed attempt never removes a file of another attempt.
  const stem = newFileStem(clock.now())
  const [thumbnail, still] = [`${stem}_thumb.jpg`, `${stem}_still.jpg`]
  return {
    thumbnail: { stagedPath: thumbnailPath, filename: thumbnail, key: thumbnailKey(eventId, thumbnail) },
    still: { stagedPath: stillPath, filename: still, key: stillKey(eventId, still) },
  }
}

async function readImage(
  ctx: AppContext,
  { path: sourcePath, sizeBytes }: ReceivedFile,
  { thumbnail, still }: DerivedFiles,
  { priority, readsMarks }: { priority: JobPriority; readsMarks: boolean },
) {
  const accepts = acceptedImageKinds(await ctx.settings.values())
  const thumbnailPath = thumbnail.stagedPath
  const task = { kind: 'receive', sourcePath, thumbnailPath, maxBufferedBytes, accepts, readsMarks } as const
  const facts = await readOrReject(ctx, task, priority)
  const source = { path: sourcePath, sizeBytes }
  const paths = { stillPath: still.stagedPath, thumbnailPath }
  const shown = 'width' in facts ? facts : await makeStill(ctx, { ...source, kind: facts.imageKind }, paths, priority)
  const columns = {
    ...unprocessedVideo,
    ...('still' in shown && stillColumns(still, shown)),
    width: shown.width,
    height: shown.height,
    captured_at: facts.capturedAt,
    thumbhash: shown.thumbhash,
    thumbnail_filename: thumbnail.filename,
    thumbnail_size_bytes: shown.thumbnail.sizeBytes,
    thumbnail_sha256: shown.thumbnail.sha256,
    processing_status: 'ready' as const,
  }
  return { ...imageKinds[facts.imageKind], location: facts.location, marks: facts.marks, columns }
}

const stillColumns = ({ filename }: NamedFile, { still }: StillFacts) => ({
  still_filename: filename,
  still_size_bytes: still.sizeBytes,
  still_crc32: still.crc32,
  still_sha256: still.sha256,
})

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
