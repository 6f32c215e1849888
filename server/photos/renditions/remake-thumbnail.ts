import type { PlatformContext } from '../../platform/platform-context.ts'
import { getPictureFile, newFileStem, removeObsoleteFiles, rollBackFiles, thumbnailKey } from '../photo-files.ts'
import type { PhotoRow } from '../photo-rows.ts'
import { maxBufferedBytes } from '../photo-rules.ts'
import { type PhotoToRender, runPictureTask } from './render-photo.ts'
import { assertHasPicture } from './rendition-rules.ts'

export type PhotoWithThumbnail = PhotoToRender & Pick<PhotoRow, 'thumbnail_filename'>

/**
 * The new thumbnail gets a new name, because the old thumbnail may be cached. Throws FileMissing, PHOTO_PROCESSING or
 * PREVIEW_UNAVAILABLE.
 */
export async function remakeThumbnail(ctx: PlatformContext, photo: PhotoWithThumbnail): Promise<void> {
  assertHasPicture(photo)
  const source = getPictureFile(photo)
  const { storage, db, clock, changes } = ctx
  const stagedPath = await storage.stage()
  const filename = `${newFileStem(clock.now())}_thumb.jpg`
  const key = thumbnailKey(photo.event_id, filename)
  let obsoleteKeys: string[] = []
  try {
    const { thumbnail } = await storage.withLocalFile(
      source.key,
      (sourcePath) => {
        const task = { kind: 'thumbnail', sourcePath, thumbnailPath: stagedPath, maxBufferedBytes } as const
        return runPictureTask(ctx, task)
      },
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
    if (changed.numUpdatedRows === 0n) obsoleteKeys = [key]
    else if (photo.thumbnail_filename) obsoleteKeys = [thumbnailKey(photo.event_id, photo.thumbnail_filename)]
    changes.notify('photo', photo.id)
  } catch (error) {
    await Promise.all([rollBackFiles(storage, [key], error), storage.discard(stagedPath)])
    throw error
  }
  await removeObsoleteFiles(ctx, obsoleteKeys)
}
