import type { ChangePhotoBody } from '../../contract/photos.ts'
import type { EventRow } from '../events/event-rows.ts'
import { Refusal } from '../platform/refusal.ts'
import type { AppContext } from '../settings/app-context.ts'
import { editPhotos } from './edit-photos.ts'

/** As `editPhotos` does it. Throws NOT_FOUND. */
export async function editPhoto(
  ctx: AppContext,
  event: EventRow,
  photoId: number,
  change: ChangePhotoBody,
): Promise<void> {
  const { ignored } = await editPhotos(ctx, event, [photoId], change)
  if (ignored.length > 0) throw new Refusal('NOT_FOUND')
}
