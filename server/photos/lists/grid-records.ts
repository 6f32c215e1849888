import type { GridPhoto } from '../../../contract/photo-grid.ts'
import { loadGuestNames } from '../../events/guests/guest-rows.ts'
import type { Database } from '../../platform/database/tables.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { getListedPhoto, type ListedPhoto, photoRecord } from '../listed-photos.ts'

/** The records for operators. They name the guests who uploaded photos, which no other record does. */
export async function createGridRecords(
  db: Database,
  photos: readonly ListedPhoto[],
  slug: string,
): Promise<GridPhoto[]> {
  const guestIds = new Set(photos.map(({ guest_id }) => guest_id).filter((id) => id !== null))
  const names = await loadGuestNames(db, [...guestIds])
  return photos.map((photo) => ({
    ...photoRecord(photo, slug),
    awaits_review: photo.awaits_review === 1,
    guest_name: (photo.guest_id !== null && names.get(photo.guest_id)) || null,
  }))
}

/** Throws NOT_FOUND for an unknown photo or a photo of another event. */
export async function getGridRecord(
  ctx: PlatformContext,
  event: { id: number; slug: string },
  photoId: number,
  userId: number,
): Promise<GridPhoto> {
  const photo = await getListedPhoto(ctx, event.id, photoId, userId)
  const [record] = await createGridRecords(ctx.db, [photo], event.slug)
  return record as GridPhoto
}
