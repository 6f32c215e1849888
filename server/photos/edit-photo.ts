import type { ChangePhotoBody } from '../../contract/photos.ts'
import { getUsableCategory } from '../events/categories.ts'
import type { EventRow } from '../events/event-rows.ts'
import { judgeNotArchived } from '../events/event-rules.ts'
import { Refusal } from '../platform/refusal.ts'
import type { House } from '../settings/house.ts'
import { findPhoto, type PhotoRow } from './photo-rows.ts'
import { changeTotals } from './photo-totals.ts'

/**
 * Touches only the keys present (decisions §6). Setting the category by hand clears the automatic-categorisation flag;
 * a `visibility` that is neither word is ignored (interface, "Photo visibility").
 */
export async function editPhoto(
  house: House,
  event: EventRow,
  photoId: number,
  { visibility, category_id }: ChangePhotoBody,
): Promise<PhotoRow> {
  judgeNotArchived(event)
  if (typeof category_id === 'number') await getUsableCategory(house, category_id, event.id)
  const values = {
    ...((visibility === 'visible' || visibility === 'hidden') &&
      ({ visibility } as { visibility?: 'visible' | 'hidden' })),
    ...(category_id !== undefined && placeOf(category_id)),
  }

  const edited = await house.db.transaction().execute(async (tx) => {
    const photo = await findPhoto(tx, event.id, photoId)
    if (!photo) throw new Refusal('NOT_FOUND')
    if (Object.keys(values).length === 0) return photo
    if (values.visibility && values.visibility !== photo.visibility) {
      await changeTotals(tx, event.id, { visible: values.visibility === 'visible' ? 1 : -1 })
    }
    return tx
      .updateTable('photos')
      .set({ ...values, updated_at: house.clock.now() })
      .where('id', '=', photoId)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  house.changes.tell('photo', photoId)
  return edited
}

/** `individual` and `collage` are values of the type, with no category (decisions §3). */
const placeOf = (categoryId: NonNullable<ChangePhotoBody['category_id']> | null) => ({
  category_id: typeof categoryId === 'number' ? categoryId : null,
  type: typeof categoryId === 'string' ? categoryId : null,
  auto_categorized: 0 as const,
})
