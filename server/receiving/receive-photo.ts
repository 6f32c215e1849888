import type { Insertable } from 'kysely'
import { must } from '../../contract/must.ts'
import type { PhotoType } from '../../contract/photos.ts'
import { getUsableCategory } from '../events/categories/categories.ts'
import { getOrCreateCategory } from '../events/categories/get-or-create-category.ts'
import { addDayCounts } from '../events/event-days.ts'
import { type EventRow, selectEvent } from '../events/event-rows.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { assertChangeable } from '../events/get-changeable-event.ts'
import { toCullingMarks } from '../feedback/marks/culling-marks.ts'
import { storeOwnMark } from '../feedback/marks/set-own-mark.ts'
import { announceUpload, selectUploadWebhooks } from '../photos/photo-announcements.ts'
import { createNameSortKey } from '../photos/photo-names.ts'
import type { PhotoRow, PhotoTable } from '../photos/photo-rows.ts'
import { assertReserved, countBytes, reservePhoto } from '../photos/photo-totals.ts'
import { runCompiled, runTogether } from '../platform/database/compile-once.ts'
import { type Database, flag, type Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { ReceivedFile } from '../platform/storage/received-file.ts'
import type { XmpMarks } from '../platform/xmp/read-xmp.ts'
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
  /**
   * The account that gets rating and label of the file as its own marks, if `general_read_culling_marks` is on. Never
   * set for uploads of guests.
   */
  markedBy?: number | null
  /** The marks in a sidecar of the file. They have priority over those in the file. */
  sidecarMarks?: XmpMarks | null
  inSameTransaction?: (tx: Tx, photo: PhotoRow) => Promise<void>
}

/**
 * Only this function creates photos and videos. Throws EVENT_ARCHIVED, NOT_FOUND, INVALID_CATEGORY, PHOTO_CAP_REACHED
 * and the errors of `storeFile`.
 */
export async function receivePhoto(ctx: AppContext, incoming: IncomingPhoto): Promise<PhotoRow> {
  const { event, file, family = 'image', uploadedBy, guestId = null, categoryId = null, type = null } = incoming
  const { isAutoCategorized = false, folder = null, isHidden = false, uploadedAt = null, inSameTransaction } = incoming
  const { markedBy = null, sidecarMarks = null } = incoming
  assertNotArchived(event)
  if (categoryId !== null) await getUsableCategory(ctx, categoryId, event.id)
  await assertBelowCap(ctx, event)

  const origin = await ctx.settings.linkOrigin()
  const priority = uploadedBy === 'guest' ? 'low' : 'normal'
  const userId = markedBy !== null && (await ctx.settings.values()).general_read_culling_marks ? markedBy : null
  const options = { file, family, priority, readsMarks: userId !== null } as const
  const received = await storeFile(ctx, event.id, options, async (stored, location, embeddedMarks) => {
    const folderCategoryId = folder === null ? null : await getOrCreateCategory(ctx, event.id, folder)
    return inTransaction(ctx.db, `event ${event.id}`, async (tx) => {
      const now = ctx.clock.now()
      const [[found], [totals], subscribed] = await runTogether(tx, [
        selectEvent(tx, event.id),
        reservePhoto(tx, event.id, { bytes: countBytes(stored), isVisible: !isHidden, now }),
        selectUploadWebhooks(tx),
      ])
      const current = assertChangeable(found)
      assertReserved(current, must(totals, 'the totals of an event').photo_count)
      const columns = {
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
      } as const
      const photo = await insertPhoto(tx, columns)
      const mark = userId === null ? null : toCullingMarks(embeddedMarks, sidecarMarks)
      if (userId !== null && mark) await storeOwnMark(tx, photo, userId, { ...mark, updated_at: now })
      await inSameTransaction?.(tx, photo)
      const liveEvent = await announceUpload(tx, photo, { event: current, subscribed, origin, now })
      const dayCounts = addDayCounts(tx, event.id, now, { uploads: 1, upload_bytes: photo.size_bytes })
      await recordFile(tx, photo, location, dayCounts ? [liveEvent, dayCounts] : [liveEvent])
      return photo
    })
  })
  notifyStored(ctx, received)
  return received
}

async function insertPhoto(tx: Tx, columns: Insertable<PhotoTable>): Promise<PhotoRow> {
  const [photo] = await runCompiled(tx, `insert photo ${Object.keys(columns)}`, columns, (values) =>
    tx.insertInto('photos').values(values).returningAll(),
  )
  return must(photo, 'the new photo')
}

/** An early check, which the transaction repeats (`assertReserved`). Throws PHOTO_CAP_REACHED. */
export async function assertBelowCap({ db }: { db: Database | Tx }, event: EventRow, underWayCount = 0): Promise<void> {
  if (event.photo_cap === 0) return
  const totals = await db
    .selectFrom('event_photo_totals')
    .select('photo_count')
    .where('event_id', '=', event.id)
    .executeTakeFirst()
  if ((totals?.photo_count ?? 0) + underWayCount >= event.photo_cap) throw new AppError('PHOTO_CAP_REACHED')
}
