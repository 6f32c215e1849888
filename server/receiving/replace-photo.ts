import { getUsableCategory } from '../events/categories/categories.ts'
import type { EventRow } from '../events/event-rows.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { getChangeableEvent } from '../events/get-changeable-event.ts'
import { dropRenditions } from '../photos/drop-renditions.ts'
import { announceUpload, selectUploadWebhooks } from '../photos/photo-announcements.ts'
import { derivedKeys, removeObsoleteFiles } from '../photos/photo-files.ts'
import { findPhoto, getPhoto, type PhotoRow } from '../photos/photo-rows.ts'
import { changeTotals, countBytes } from '../photos/photo-totals.ts'
import { retireOriginals } from '../photos/retire-originals.ts'
import { keepVersion } from '../photos/versions/version-rows.ts'
import type { Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { ReceivedFile } from '../platform/storage/received-file.ts'
import type { AppContext } from '../settings/app-context.ts'
import { recordReplaced } from './replaced-file-rows.ts'
import { notifyStored, recordFile, storeFile } from './store-file.ts'

export type Replacement = {
  family?: 'image' | 'video'
  /** Validated but not stored: a replaced photo keeps its category. */
  categoryId?: number | null
  /** The earlier file must become a version. `note`: what has changed. */
  version?: { note: string | null } | undefined
  inSameTransaction?: (tx: Tx, previousFilename: string) => Promise<void>
}

/**
 * Throws NOT_FOUND for an unknown photo or a photo of another event, and UNSUPPORTED_MEDIA_TYPE if an image would
 * replace a video, or a video an image.
 */
export async function assertReplaceable(
  { db }: AppContext,
  event: EventRow,
  photoId: number,
  family: PhotoRow['media_type'],
): Promise<void> {
  const photo = await findPhoto(db, event.id, photoId)
  if (!photo) throw new AppError('NOT_FOUND', { text: 'The photo to replace is not in this event.' })
  if (photo.media_type === family) return
  const text =
    family === 'image' ? 'A video can only be replaced by a video.' : 'A photo can only be replaced by a photo.'
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', { text })
}

/** Throws INVALID_STATE if the event does not keep versions. */
export function assertKeepsVersions({ keep_versions }: EventRow): void {
  if (keep_versions === 0) throw new AppError('INVALID_STATE', { text: 'This event does not keep versions of photos.' })
}

/**
 * The photo keeps its id, feedback, marks, upload time, category and source_filename, and also its capture time if it
 * has one. An error before the commit leaves the photo unchanged. Where the event keeps versions, other content is the
 * next version. With `version`, throws INVALID_STATE if it is not.
 */
export async function replacePhoto(
  ctx: AppContext,
  event: EventRow,
  photoId: number,
  file: ReceivedFile,
  { family = 'image', categoryId = null, version, inSameTransaction }: Replacement = {},
): Promise<{ photo: PhotoRow; previousFilename: string }> {
  const { db, clock } = ctx
  assertNotArchived(event)
  await assertReplaceable(ctx, event, photoId, family)
  if (version) assertKeepsVersions(event)
  if (categoryId !== null) await getUsableCategory(ctx, categoryId, event.id)

  const origin = await ctx.settings.linkOrigin()
  const { photo, previous, obsolete } = await storeFile(ctx, event.id, { file, family }, (stored, location) =>
    inTransaction(db, `event ${event.id}`, async (tx) => {
      const current = await getChangeableEvent(tx, event.id)
      const previous = await getPhoto(tx, event.id, photoId)
      const now = clock.now()
      const photo = await tx
        .updateTable('photos')
        .set({ ...stored, captured_at: previous.captured_at ?? stored.captured_at, updated_at: now })
        .where('id', '=', photoId)
        .returningAll()
        .executeTakeFirstOrThrow()
      await changeTotals(tx, event.id, { bytes: countBytes(stored) - countBytes(previous) })
      const number = await keepOrRetire(tx, current, previous, { contentHash: stored.content_hash, version, now })
      const isKept = number !== null
      const { rows: subscribed } = await tx.executeQuery(selectUploadWebhooks(tx))
      const liveEvent = await announceUpload(tx, photo, {
        event: current,
        replaced: true,
        ...(version && isKept && { version: number }),
        ...{ subscribed, origin, now },
      })
      await recordFile(tx, photo, location, [liveEvent])
      await inSameTransaction?.(tx, previous.filename)
      const obsolete = isKept ? [] : [...derivedKeys(previous), ...(await dropRenditions(tx, [photoId]))]
      return { photo, previous, obsolete }
    }),
  )
  notifyStored(ctx, photo)
  await removeObsoleteFiles(ctx, obsolete)
  return { photo, previousFilename: previous.filename }
}

type Keeping = { contentHash: string; version: Replacement['version']; now: number }

/** Returns the number of the next version, or null if the earlier file is not kept as one. Throws INVALID_STATE. */
async function keepOrRetire(
  tx: Tx,
  event: EventRow,
  previous: PhotoRow,
  { contentHash, version, now }: Keeping,
): Promise<number | null> {
  if (version) assertKeepsVersions(event)
  const isSame = contentHash === previous.content_hash
  if (version && isSame) throw new AppError('INVALID_STATE', { text: 'The photo has this file already.' })
  const keepsVersions = event.keep_versions === 1
  if (keepsVersions && !isSame) return keepVersion(tx, previous, { note: version?.note ?? null, now })
  await retireOriginals(tx, [previous], now)
  if (!keepsVersions) await recordReplaced(tx, previous, now)
  return null
}
