import type { FailedFile, GuestUpload } from '../../../contract/uploads.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { noFeedback } from '../../feedback/own-feedback.ts'
import { getGuestCaller, type OpenGallery } from '../../gallery-access/open-gallery-request.ts'
import { getListedPhoto } from '../../photos/listed-photos.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { assertBelowCap } from '../../receiving/receive-photo.ts'
import { receivePhotos } from '../../receiving/receive-photos.ts'
import type { Uploads } from '../../receiving/upload-form-request.ts'
import type { GalleryContext } from '../gallery-context.ts'
import { galleryPhoto } from '../gallery-records.ts'

/** Throws FORBIDDEN or UPLOADS_DISABLED. */
export function assertUploadsEnabled(gallery: OpenGallery): void {
  getGuestCaller(gallery)
  if (gallery.event.allow_user_uploads === 0) throw new AppError('UPLOADS_DISABLED')
}

/** Throws FORBIDDEN, UPLOADS_DISABLED or PHOTO_CAP_REACHED. */
export async function assertGuestUpload(ctx: GalleryContext, gallery: OpenGallery): Promise<void> {
  assertUploadsEnabled(gallery)
  await assertBelowCap(ctx, gallery.event)
}

/** Throws FORBIDDEN. */
export const guestUploadOptions = (gallery: OpenGallery) => ({
  uploadedBy: 'guest' as const,
  guestId: getGuestCaller(gallery).guestId,
  categoryId: gallery.event.upload_category_id,
  isAutoCategorized: true,
  isHidden: gallery.event.moderate_uploads === 1,
})

export async function loadGuestUpload(ctx: GalleryContext, event: EventRow, photoId: number): Promise<GuestUpload> {
  const photo = await getListedPhoto(ctx, event.id, photoId, null)
  return { ...galleryPhoto(event, photo, noFeedback), visibility: photo.visibility }
}

/** Returns hidden photos too. Throws the errors of `assertGuestUpload` and `receivePhotos`. */
export async function receiveGuestUpload(
  ctx: GalleryContext,
  gallery: OpenGallery,
  uploads: Pick<Uploads, 'files' | 'rejected'>,
): Promise<{ photos: GuestUpload[]; failed: FailedFile[] }> {
  await assertGuestUpload(ctx, gallery)
  const { event } = gallery
  const { photos, failed } = await receivePhotos(ctx, uploads, { event, ...guestUploadOptions(gallery) })
  return { photos: await Promise.all(photos.map(({ id }) => loadGuestUpload(ctx, event, id))), failed }
}
