import type { FailedFile, GuestUpload } from '../../contract/uploads.ts'
import { getListedPhoto } from '../photos/list-photos.ts'
import { judgeCapEarly } from '../photos/receive-photo.ts'
import { receivePhotos } from '../photos/receive-photos.ts'
import type { Uploads } from '../photos/upload-form.ts'
import { Refusal } from '../platform/refusal.ts'
import { noFeedback } from '../proofing/own-feedback.ts'
import type { GalleryHouse } from './gallery-house.ts'
import { galleryPhoto } from './gallery-records.ts'
import { guestOnly, type OpenGallery } from './open-gallery.ts'

/** Whether the gallery takes photos of guests now; open before the reveal. Throws FORBIDDEN, UPLOADS_DISABLED or PHOTO_CAP_REACHED. */
export async function judgeGuestUpload(house: GalleryHouse, gallery: OpenGallery): Promise<void> {
  guestOnly(gallery)
  if (gallery.event.allow_user_uploads === 0) throw new Refusal('UPLOADS_DISABLED')
  await judgeCapEarly(house, gallery.event)
}

/**
 * Files what a guest has brought under the event's category, hidden where uploads are moderated. The answer shows the
 * photos even so; nothing else shows a hidden one. Throws what judging throws, and what `receivePhotos` does.
 */
export async function uploadAsGuest(
  house: GalleryHouse,
  gallery: OpenGallery,
  uploads: Pick<Uploads, 'files' | 'refused'>,
): Promise<{ photos: GuestUpload[]; failed: FailedFile[] }> {
  await judgeGuestUpload(house, gallery)
  const { event } = gallery
  const { photos, failed } = await receivePhotos(house, uploads, {
    event,
    uploadedBy: 'guest',
    categoryId: event.upload_category_id,
    isAutoCategorized: true,
    isHidden: event.moderate_uploads === 1,
  })
  const listed = await Promise.all(photos.map(({ id }) => getListedPhoto(house, event.id, id, null)))
  return {
    photos: listed.map((photo) => ({ ...galleryPhoto(event, photo, noFeedback), visibility: photo.visibility })),
    failed,
  }
}
