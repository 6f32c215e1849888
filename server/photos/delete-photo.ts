import type { EventRow } from '../events/event-rows.ts'
import { AppError } from '../platform/app-error.ts'
import type { AppContext } from '../settings/app-context.ts'
import { deletePhotos } from './delete-photos.ts'

/** Throws NOT_FOUND and the errors of `deletePhotos`. */
export async function deletePhoto(ctx: AppContext, event: EventRow, photoId: number): Promise<void> {
  const { done } = await deletePhotos(ctx, event, [photoId])
  if (done.length === 0) throw new AppError('NOT_FOUND')
}
