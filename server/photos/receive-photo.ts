import type { PhotoType } from '../../contract/photos.ts'
import { getUsableCategory } from '../events/categories.ts'
import type { EventRow } from '../events/event-rows.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { AppError } from '../platform/app-error.ts'
import { flag, type Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { ReceivedFile } from '../platform/http/receive-form.ts'
import { countToday } from '../proofing/event-days.ts'
import type { AppContext } from '../settings/app-context.ts'
import { announceUpload } from './photo-announcements.ts'
import { nameSortOf } from './photo-names.ts'
import type { PhotoRow, PhotoTable } from './photo-rows.ts'
import { takePlace } from './photo-totals.ts'
import { recordFile, storeFile } from './store-file.ts'

export type Arrival = {
  event: EventRow
  /** Staged; committed or left for the caller to discard when the operation ends. */
  file: ReceivedFile
  /** What its name says that it is; content of the other family is refused with 415. Images when not given. */
  family?: 'image' | 'video'
  uploadedBy: PhotoTable['uploaded_by']
  categoryId?: number | null
  type?: PhotoType | null
  /** True when the service and not a person chose the category. */
  isAutoCategorized?: boolean
  /** Guests see it only once an operator shows it. */
  isHidden?: boolean
  inSameTransaction?: (tx: Tx, photo: PhotoRow) => Promise<void>
}

/**
 * The one door of every new photo and video. Checks, stores original and thumbnail, then writes row and counters in one
 * transaction: files first, row last, and nothing is left behind when it throws.
 */
export async function receivePhoto(ctx: AppContext, arrival: Arrival): Promise<PhotoRow> {
  const {
    event,
    file,
    family = 'image',
    uploadedBy,
    categoryId = null,
    type = null,
    isAutoCategorized = false,
    isHidden = false,
  } = arrival
  assertNotArchived(event)
  if (categoryId !== null) await getUsableCategory(ctx, categoryId, event.id)
  await assertBelowCap(ctx, event)

  const origin = await ctx.settings.linkOrigin()
  const received = await storeFile(ctx, event.id, { file, family }, (stored, location) =>
    inTransaction(ctx.db, `event ${event.id}`, async (tx) => {
      const current = await takePlace(tx, event.id, { bytes: stored.size_bytes, isVisible: !isHidden })
      const now = ctx.clock.now()
      const photo = await tx
        .insertInto('photos')
        .values({
          ...stored,
          event_id: event.id,
          source_filename: stored.original_filename,
          name_sort: nameSortOf(stored.original_filename),
          type,
          category_id: categoryId,
          auto_categorized: flag(isAutoCategorized),
          visibility: isHidden ? 'hidden' : 'visible',
          uploaded_at: now,
          uploaded_by: uploadedBy,
          updated_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      await recordFile(tx, photo, location)
      await announceUpload(tx, photo, { event: current, origin, now })
      await arrival.inSameTransaction?.(tx, photo)
      await countToday(tx, event.id, now, { uploads: 1, upload_bytes: photo.size_bytes })
      return photo
    }),
  )
  ctx.changes.tell('photo', received.id)
  ctx.changes.tell('live', event.id)
  ctx.changes.tell('delivery', event.id)
  if (received.media_type === 'video') ctx.changes.tell('video', received.id)
  return received
}

/** Spares the receiving and decoding of what the transaction would refuse; it checks again. Throws PHOTO_CAP_REACHED. */
export async function assertBelowCap({ db }: AppContext, event: EventRow): Promise<void> {
  if (event.photo_cap === 0) return
  const totals = await db
    .selectFrom('event_photo_totals')
    .select('photo_count')
    .where('event_id', '=', event.id)
    .executeTakeFirst()
  if (totals && totals.photo_count >= event.photo_cap) throw new AppError('PHOTO_CAP_REACHED')
}
