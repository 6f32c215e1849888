import type { ChangePhotoBody } from '../../contract/photos.ts'
import type { EventRow } from '../events/event-rows.ts'
import { AppError } from '../platform/app-error.ts'
import type { AppContext } from '../settings/app-context.ts'
import { editPhotos } from './edit-photos.ts'

/** Throws NOT_FOUND and the errors of `editPhotos`. */
export async function editPhoto(
  ctx: AppContext,
  event: EventRow,
  photoId: number,
  change: ChangePhotoBody,
): Promise<void> {
  const { ignored } = await editPhotos(ctx, event, [photoId], change)
  if (ignored.length > 0) throw new AppError('NOT_FOUND')
}
