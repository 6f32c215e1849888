import {
  chooseStoredName,
  newFileStem,
  originalKey,
  sanitizeOriginalName,
  thumbnailKey,
} from '../photos/photo-files.ts'
import { createSearchText } from '../photos/photo-names.ts'
import { maxBufferedBytes, tooManyPixelsError, validateImage } from '../photos/photo-rules.ts'
import { rollBackFiles } from '../photos/roll-back-files.ts'
import { AppError } from '../platform/app-error.ts'
import { estimateDecodingBytes, imageKinds, readImageHeader } from '../platform/media/image-header.ts'
import type { PictureFacts } from '../platform/media/image-tasks.ts'
import { ImageWorkerLost } from '../platform/media/image-workers.ts'
import { findLocationPatches } from '../platform/media/location/find-location.ts'
import type { ReceivedFile } from '../platform/storage/received-file.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { RecordFile } from './file-columns.ts'

/** Removes the stored files if anything throws. Throws UNREADABLE_IMAGE and the errors of `validateImage`. */
export async function storePicture<T>(
  ctx: AppContext,
  eventId: number,
  file: ReceivedFile,
  record: RecordFile<T>,
): Promise<T> {
  const { storage, settings, clock } = ctx
  const header = validateImage(await readImageHeader(file.path, file.head), await settings.values())
  const { extension, mimeType } = imageKinds[header.kind]
  const thumbnailPath = await storage.stage()
  const filename = chooseStoredName(file.finalName, extension, clock.now())
  // Unique per attempt, so that cleaning up a failed attempt never removes a file of another one.
  const thumbnailFilename = `${newFileStem(clock.now())}_thumb.jpg`
  const files = [
    { stagedPath: file.path, key: originalKey(eventId, filename) },
    { stagedPath: thumbnailPath, key: thumbnailKey(eventId, thumbnailFilename) },
  ]

  try {
    const [facts, location] = await Promise.all([
      makeThumbnail(ctx, file.path, thumbnailPath, estimateDecodingBytes(header)),
      findLocationPatches(file.path, header.kind, file),
      file.synced,
    ])
    await storage.commit(files)
    const names = { filename, original_filename: sanitizeOriginalName(file.clientName, extension) }
    const picture = {
      ...names,
      search_text: createSearchText(names),
      media_type: 'image' as const,
      mime_type: mimeType,
      size_bytes: file.sizeBytes,
      content_hash: file.contentHash,
      crc32: file.crc32,
      width: facts.width,
      height: facts.height,
      duration: null,
      captured_at: facts.capturedAt,
      thumbhash: facts.thumbhash,
      thumbnail_filename: thumbnailFilename,
      thumbnail_size_bytes: facts.thumbnail.sizeBytes,
      thumbnail_sha256: facts.thumbnail.sha256,
      still_filename: null,
      still_size_bytes: null,
      processing_status: 'ready' as const,
      processing_error: null,
    }
    return await record(picture, location)
  } catch (error) {
    const keys = files.map(({ key }) => key)
    await Promise.all([rollBackFiles(storage, keys, error), storage.discard(thumbnailPath)])
    throw error
  }
}

async function makeThumbnail(
  { imageWorkers, log }: AppContext,
  sourcePath: string,
  thumbnailPath: string,
  bytes: number,
): Promise<PictureFacts> {
  let isTooLarge = false
  try {
    const result = await imageWorkers.run({ kind: 'thumbnail', sourcePath, thumbnailPath, maxBufferedBytes }, bytes)
    if (result.outcome === 'made') return result.facts
    log.info({ reason: result.reason }, 'An image was refused')
    isTooLarge = result.isTooLarge
  } catch (error) {
    if (!(error instanceof ImageWorkerLost)) throw error
    log.warn('An image worker was lost over an image')
  }
  throw isTooLarge ? tooManyPixelsError() : new AppError('UNREADABLE_IMAGE')
}
