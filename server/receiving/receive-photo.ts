import type { PhotoType } from '../../contract/photos.ts'
import { getUsableCategory } from '../events/categories/categories.ts'
import { getOrCreateCategory } from '../events/categories/get-or-create-category.ts'
import type { EventRow } from '../events/event-rows.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { addToDayCounts } from '../feedback/event-days.ts'
import { announceUpload } from '../photos/photo-announcements.ts'
import { createNameSortKey } from '../photos/photo-names.ts'
import type { PhotoRow, PhotoTable } from '../photos/photo-rows.ts'
import { reserve } from '../photos/photo-totals.ts'
import { AppError } from '../platform/app-error.ts'
import { type Database, flag, type Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { ReceivedFile } from '../platform/storage/received-file.ts'
import type { AppContext } from '../settings/app-context.ts'
import { notifyStored, recordFile, storeFile } from './store-file.ts'

export type IncomingPhoto = {
  event: EventRow
  /** A staged file, which the calling function discards if the operation fails. */
  file: ReceivedFile
  /** The expected type, by default `image`. Other content is rejected with 415. */
  family?: 'image' | 'video'
  uploadedBy: PhotoTable['uploaded_by']
  guestId?: string | null
  categoryId?: number | null
  type?: PhotoType | null
  isAutoCategorized?: boolean
  /** Replaces `categoryId` by the category of this name, which is created after the content has been checked. */
  folder?: string | null
  isHidden?: boolean
  /** Determines the position in upload order; by default the time when the photo is stored. */
  uploadedAt?: number | null
  inSameTransaction?: (tx: Tx, photo: PhotoRow) => Promise<void>
}

/**
 * Only this function creates photos and videos. Throws EVENT_ARCHIVED, NOT_FOUND, INVALID_CATEGORY, PHOTO_CAP_REACHED
 * and the errors of `storeFile`.
 */
export async function receivePhoto(ctx: AppContext, incoming: IncomingPhoto): Promise<PhotoRow> {
  const { event, file, family = 'image', uploadedBy, guestId = null, categoryId = null, type = null } = incoming
  const { isAutoCategorized = false, folder = null, isHidden = false, uploadedAt = null, inSameTransaction } = incoming
  assertNotArchived(event)
  if (categoryId !== null) await getUsableCategory(ctx, categoryId, event.id)
  await assertBelowCap(ctx, event)

  const origin = await ctx.settings.linkOrigin()
  const priority = uploadedBy === 'guest' ? 'low' : 'normal'
  const received = await storeFile(ctx, event.id, { file, family, priority }, async (stored, location) => {
    const folderCategoryId = folder === null ? null : await getOrCreateCategory(ctx, event.id, folder)
    return inTransaction(ctx.db, `event ${event.id}`, async (tx) => {
      const now = ctx.clock.now()
      const current = await reserve(tx, event.id, { bytes: stored.size_bytes, isVisible: !isHidden, now })
      const photo = await tx
        .insertInto('photos')
        .values({
          ...stored,
          event_id: event.id,
          source_filename: stored.original_filename,
          name_sort: createNameSortKey(stored.original_filename),
          type,
          category_id: folderCategoryId ?? categoryId,
          auto_categorized: flag(isAutoCategorized || folderCategoryId !== null),
          visibility: isHidden ? 'hidden' : 'visible',
          awaits_review: flag(isHidden),
          uploaded_at: uploadedAt ?? now,
          uploaded_by: uploadedBy,
          guest_id: guestId,
          updated_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      await recordFile(tx, photo, location)
      await announceUpload(tx, photo, { event: current, origin, now })
      await inSameTransaction?.(tx, photo)
      await addToDayCounts(tx, event.id, now, { uploads: 1, upload_bytes: photo.size_bytes })
      return photo
    })
  })
  notifyStored(ctx, received)
  return received
}

/** An early check, which `reserve` repeats in the transaction. Throws PHOTO_CAP_REACHED. */
export async function assertBelowCap({ db }: { db: Database | Tx }, event: EventRow, underWayCount = 0): Promise<void> {
  if (event.photo_cap === 0) return
  const totals = await db
    .selectFrom('event_photo_totals')
    .select('photo_count')
    .where('event_id', '=', event.id)
    .executeTakeFirst()
  if ((totals?.photo_count ?? 0) + underWayCount >= event.photo_cap) throw new AppError('PHOTO_CAP_REACHED')
}
