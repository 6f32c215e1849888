import type { EventRow } from '../events/event-rows.ts'
import { Refusal } from '../platform/refusal.ts'
import type { AppContext } from '../settings/app-context.ts'
import { deletePhotos } from './delete-photos.ts'

/** As `deletePhotos` does it. Throws NOT_FOUND. */
export async function deletePhoto(ctx: AppContext, event: EventRow, photoId: number): Promise<void> {
  const { done } = await deletePhotos(ctx, event, [photoId])
  if (done.length === 0) throw new Refusal('NOT_FOUND')
}
