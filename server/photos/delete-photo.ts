import type { EventRow } from '../events/event-rows.ts'
import { Refusal } from '../platform/refusal.ts'
import type { House } from '../settings/house.ts'
import { deletePhotos } from './delete-photos.ts'

/** As `deletePhotos` does it. Throws NOT_FOUND. */
export async function deletePhoto(house: House, event: EventRow, photoId: number): Promise<void> {
  const { done } = await deletePhotos(house, event, [photoId])
  if (done.length === 0) throw new Refusal('NOT_FOUND')
}
