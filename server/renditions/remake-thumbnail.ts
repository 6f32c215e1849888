import { findPictureFile, newFileStem, thumbnailKey } from '../photos/photo-files.ts'
import type { PhotoRow } from '../photos/photo-rows.ts'
import { maxBufferedBytes } from '../photos/photo-rules.ts'
import { rollBackFiles } from '../photos/roll-back-files.ts'
import { AppError } from '../platform/app-error.ts'
import { estimateDecodingBytes, readImageHeader } from '../platform/media/image-header.ts'
import { ImageWorkerLost } from '../platform/media/image-workers.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { PhotoToRender } from './render-photo.ts'
import { assertHasPicture } from './rendition-rules.ts'

export type PhotoWithThumbnail = PhotoToRender & Pick<PhotoRow, 'thumbnail_filename'>

/** Uses a new name, because the old one may be cached. Throws FileMissing, PREVIEW_UNAVAILABLE. */
export async function remakeThumbnail(ctx: PlatformContext, photo: PhotoWithThumbnail): Promise<void> {
  assertHasPicture(photo)
  const source = findPictureFile(photo)
  if (!source) throw new AppError('PREVIEW_UNAVAILABLE')
  const { storage, db, clock, changes } = ctx
  const stagedPath = await storage.stage()
  const filename = `${newFileStem(clock.now())}_thumb.jpg`
  const key = thumbnailKey(photo.event_id, filename)
  try {
    const { thumbnail } = await storage.withLocalFile(
      source.key,
      (sourcePath) => renderThumbnail(ctx, sourcePath, stagedPath),
      source.sizeBytes,
    )
    await storage.commit([{ stagedPath, key }])
    const changed = await db
      .updateTable('photos')
      .set({
        thumbnail_filename: filename,
        thumbnail_size_bytes: thumbnail.sizeBytes,
        thumbnail_sha256: thumbnail.sha256,
      })
      .where('id', '=', photo.id)
      .where('content_hash', '=', photo.content_hash)
      .where('thumbnail_filename', photo.thumbnail_filename === null ? 'is' : '=', photo.thumbnail_filename)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) await storage.remove(key)
    else if (photo.thumbnail_filename) await storage.remove(thumbnailKey(photo.event_id, photo.thumbnail_filename))
    changes.notify('photo', photo.id)
  } catch (error) {
    await Promise.all([rollBackFiles(storage, [key], error), storage.discard(stagedPath)])
    throw error
  }
}

async function renderThumbnail({ imageWorkers, log }: PlatformContext, sourcePath: string, thumbnailPath: string) {
  const header = await readImageHeader(sourcePath)
  if (!header) throw new AppError('PREVIEW_UNAVAILABLE')
  const task = { kind: 'thumbnail', sourcePath, thumbnailPath, maxBufferedBytes } as const
  try {
    const result = await imageWorkers.run(task, estimateDecodingBytes(header))
    if (result.outcome === 'made') return result.facts
    log.warn({ reason: result.reason }, 'A stored picture cannot be decoded')
  } catch (error) {
    if (!(error instanceof ImageWorkerLost)) throw error
    log.warn('An image worker was lost over a stored picture')
  }
  throw new AppError('PREVIEW_UNAVAILABLE')
}
