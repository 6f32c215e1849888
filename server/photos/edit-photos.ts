import { type RawBuilder, sql } from 'kysely'
import type { ChangePhotoBody } from '../../contract/photos.ts'
import { getUsableCategory } from '../events/categories/categories.ts'
import type { EventRow } from '../events/event-rows.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { getChangeableEvent } from '../events/get-changeable-event.ts'
import { isVisibleToGuests } from '../events/visible-photos.ts'
import type { Flag } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { PhotoRow } from './photo-rows.ts'
import { changeTotals } from './photo-totals.ts'
import { type BulkOutcome, processInBatches } from './process-in-batches.ts'

const photosPerBatch = 200
const isGuestUpload = sql<Flag>`case when uploaded_by = 'guest' then 1 else 0 end`
const isReviewed = sql<Flag>`0`

type EditableColumns = Partial<Pick<PhotoRow, 'visibility' | 'category_id' | 'type' | 'auto_categorized'>> & {
  awaits_review?: RawBuilder<Flag>
}

/**
 * Changes only the given fields; `done` is empty if no valid field is given. Throws EVENT_ARCHIVED, INVALID_CATEGORY,
 * and NOT_FOUND if the event no longer exists.
 */
export async function editPhotos(
  ctx: AppContext,
  event: EventRow,
  ids: readonly number[],
  change: ChangePhotoBody,
): Promise<BulkOutcome> {
  assertNotArchived(event)
  const { category_id: categoryId } = change
  if (typeof categoryId === 'number') await getUsableCategory(ctx, categoryId, event.id)
  const values = changedColumns(change)
  const isUnchanged = Object.keys(values).length === 0
  const found = await processInBatches(ids, photosPerBatch, (batch) =>
    editBatch(ctx, event.id, batch, isUnchanged ? null : values),
  )
  return isUnchanged ? { ...found, done: [] } : found
}

/** Throws NOT_FOUND for an unknown photo or a photo of another event, and the errors of `editPhotos`. */
export async function editPhoto(
  ctx: AppContext,
  event: EventRow,
  photoId: number,
  change: ChangePhotoBody,
): Promise<void> {
  const { ignored } = await editPhotos(ctx, event, [photoId], change)
  if (ignored.length > 0) throw new AppError('NOT_FOUND')
}

/** Returns those ids that belong to photos of the event. If `values` is null, nothing is changed. */
async function editBatch(
  { db, clock, changes }: AppContext,
  eventId: number,
  ids: readonly number[],
  values: EditableColumns | null,
): Promise<number[]> {
  const edited = await inTransaction(db, `event ${eventId}`, async (tx) => {
    await getChangeableEvent(tx, eventId)
    const chosen = tx.selectFrom('photos').select(['id', 'visibility']).where('id', 'in', ids)
    const photos = await chosen.where('event_id', '=', eventId).execute()
    const photoIds = photos.map(({ id }) => id)
    if (values === null || photoIds.length === 0) return photoIds
    const visible = photos.filter(isVisibleToGuests).length
    const nowVisible = values.visibility ? (values.visibility === 'visible' ? photos.length : 0) : visible
    await changeTotals(tx, eventId, { visible: nowVisible - visible })
    await tx
      .updateTable('photos')
      .set({ ...values, updated_at: clock.now() })
      .where('id', 'in', photoIds)
      .execute()
    return photoIds
  })
  if (values !== null) for (const id of edited) changes.notify('photo', id)
  return edited
}

/** A `visibility` other than `visible` and `hidden` is ignored. */
const changedColumns = ({ visibility, awaits_review, category_id }: ChangePhotoBody): EditableColumns => ({
  ...((visibility === 'visible' || visibility === 'hidden') && {
    visibility,
    awaits_review: visibility === 'hidden' && awaits_review ? isGuestUpload : isReviewed,
  }),
  ...(category_id !== undefined && categoryColumns(category_id)),
})

/** `individual` and `collage` are photo types. A photo with a type has no category. */
const categoryColumns = (categoryId: NonNullable<ChangePhotoBody['category_id']> | null): EditableColumns => ({
  category_id: typeof categoryId === 'number' ? categoryId : null,
  type: typeof categoryId === 'string' ? categoryId : null,
  auto_categorized: 0,
})
