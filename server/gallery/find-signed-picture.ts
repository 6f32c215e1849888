import type { EventRow } from '../events/event-rows.ts'
import type { ViewedPhoto } from '../gallery-access/gallery-state.ts'
import { assertGalleryState, assertViewable } from '../gallery-access/viewing-rules.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { GalleryContext } from './gallery-context.ts'
import { type PicturePath, parsePicturePath } from './signed-picture-rules.ts'

/** `expiresAt`: epoch seconds. */
type FoundPicture = { event: EventRow; photo: ViewedPhoto; widthPx: number; expiresAt: number }

/**
 * Returns the picture of a signed address, or `forged` if the signature does not match, so that the calling function
 * can limit attempts. Throws NOT_FOUND for an address that has ended. The viewer counts as a guest without a customer,
 * so it also throws the errors of `assertGalleryState` and `assertViewable`.
 */
export async function findSignedPicture(ctx: GalleryContext, path: PicturePath): Promise<FoundPicture | 'forged'> {
  const now = ctx.clock.now()
  const picture = parsePicturePath(path, now)
  if (!picture) throw new AppError('NOT_FOUND')
  const photo = await ctx.galleries.photo(picture.photoId)
  const event = photo && (await ctx.galleries.eventById(photo.event_id))
  if (!event || !ctx.access.pictureSignatures.isValid(event, picture, path.signature)) return 'forged'
  if (event.allow_signed_pictures === 0) throw new AppError('NOT_FOUND')
  assertGalleryState(event, false, now)
  assertViewable(event, photo, { kind: 'guest' }, 'photo', now)
  return { event, photo, widthPx: picture.widthPx, expiresAt: picture.expiresAt }
}
