import { basename } from 'node:path'
import type { EventRow } from '../events/event-rows.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { originalKey } from '../photos/photo-files.ts'
import { getPhoto, type PhotoRow } from '../photos/photo-rows.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { FileMissing, type Storage } from '../platform/storage/storage.ts'
import { type StagedFile, writeStaged } from '../platform/storage/write-staged.ts'
import type { AppContext } from '../settings/app-context.ts'
import { replacePhoto } from './replace-photo.ts'
import { deleteReplaced, forgetContent, listEarlierFiles } from './replaced-file-rows.ts'

/**
 * Gives a photo the file that it had before its last replacement, or the earlier one that is named. This is a replacement
 * too: undoing it again returns the other file. Where the event keeps versions, the file is the next version. With
 * `filename`, only while the photo has this file. Throws NOT_FOUND, INVALID_STATE if the photo has another file or the
 * earlier one is no longer kept, StorageFull and the errors of `replacePhoto`.
 */
export async function undoReplacement(
  ctx: AppContext,
  event: EventRow,
  photoId: number,
  { filename, earlier: chosen }: { filename?: string; earlier?: string } = {},
): Promise<{ photo: PhotoRow; previousFilename: string }> {
  assertNotArchived(event)
  const { media_type: family } = await getPhoto(ctx.db, event.id, photoId)
  const kept = await listEarlierFiles(ctx.db, event.id, photoId)
  const earlier = kept.find(({ key }) => chosen === undefined || basename(key) === chosen)
  if (!earlier) throw fileGone()
  const { key, original_filename: clientName, size_bytes } = earlier
  await ctx.storage.ensureSpaceFor(Number(size_bytes))
  const staged = await stageEarlier(ctx.storage, key).catch((error) => {
    throw error instanceof FileMissing ? fileGone() : error
  })
  try {
    return await replacePhoto(
      ctx,
      event,
      photoId,
      { ...staged, clientName },
      {
        family,
        async inSameTransaction(tx, current) {
          if (filename !== undefined && filename !== current) {
            throw new AppError('INVALID_STATE', { text: 'The photo has another file by now.' })
          }
          await deleteReplaced(tx, key)
          await forgetContent(tx, originalKey(event.id, current))
        },
      },
    )
  } finally {
    await ctx.storage.discard(staged.path)
  }
}

/** For about an hour after the replacement, the file is still where it was. After that it is in quarantine. */
async function stageEarlier(storage: Storage, key: string): Promise<StagedFile> {
  const stage = async () => writeStaged(storage, await storage.openStream(key))
  try {
    return await stage()
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error
    await storage.restoreQuarantined(key)
    return await stage().finally(() => storage.quarantine(key))
  }
}

const fileGone = (): AppError =>
  new AppError('INVALID_STATE', { text: 'The earlier file of this photo is no longer kept.' })
