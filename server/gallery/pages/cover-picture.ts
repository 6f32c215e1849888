import { sharePath } from '../../../contract/share-path.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { isExpired } from '../../events/event-rules.ts'
import { isVisibleToGuests } from '../../events/visible-photos.ts'
import { equalsInConstantTime } from '../../gallery-access/enter-gallery.ts'
import { isBeforeReveal } from '../../gallery-access/viewing-rules.ts'
import { findCoverPhoto } from '../../photos/cover-photos.ts'
import { findPhoto, type PhotoRow } from '../../photos/photo-rows.ts'
import { coverProfile } from '../../photos/renditions/guest-profile.ts'
import type { RenditionRequest } from '../../photos/renditions/rendition-rows.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { GalleryContext } from '../gallery-context.ts'

/** Returns the cover or a photo of a gallery that opens by its link alone. Throws NOT_FOUND in every other case. */
export async function getCoverPicture(
  ctx: GalleryContext,
  { slug, shareToken, photoId }: { slug: string; shareToken: string; photoId: number | null },
): Promise<{ photo: PhotoRow; requested: RenditionRequest }> {
  const event = await ctx.galleries.event(slug)
  const photo = event && (await findPublicPicture(ctx, event, shareToken, photoId))
  if (!photo) throw new AppError('NOT_FOUND')
  const profile = coverProfile(event, await ctx.settings.values())
  return { photo, requested: { profile, bound_px: profile.crop.width, format: 'jpeg' } }
}

/**
 * Returns the thumbhash of the cover for the password page, which shows no more than its colors; null unless the settings
 * allow it and the link is complete.
 */
export async function findCoverHash(ctx: GalleryContext, event: EventRow, shareToken: string): Promise<string | null> {
  const { gallery_password_cover: isAllowed } = await ctx.settings.values()
  if (!isAllowed || !opensByLink(event, shareToken, ctx.clock.now())) return null
  return (await findCoverPhoto(ctx.db, event.id))?.thumbhash ?? null
}

export type LinkPreview = { url: string; pictureUrl: string; width: number; height: number }

export async function findLinkPreview(
  ctx: GalleryContext,
  event: EventRow,
  shareToken: string | null,
  photoId: number | null,
): Promise<LinkPreview | null> {
  if (shareToken === null) return null
  const showsPhoto = photoId !== null && (await findPublicPicture(ctx, event, shareToken, photoId)) !== undefined
  if (!showsPhoto && !(await findPublicPicture(ctx, event, shareToken, null))) return null
  const link = (await ctx.settings.linkOrigin()) + sharePath(event)
  const query = showsPhoto ? `?photo=${photoId}` : ''
  const { width, height } = coverProfile(event, await ctx.settings.values()).crop
  return { url: link + query, pictureUrl: `${link}/cover.jpg${query}`, width, height }
}

/** Returns a picture only of a live, revealed gallery without a password, because anybody with the link gets it. */
async function findPublicPicture(
  { db, clock }: GalleryContext,
  event: EventRow,
  shareToken: string,
  photoId: number | null,
): Promise<PhotoRow | undefined> {
  if (event.require_password === 1 || !opensByLink(event, shareToken, clock.now())) return undefined
  if (photoId === null) return findCoverPhoto(db, event.id)
  const photo = await findPhoto(db, event.id, photoId)
  const hasPicture = photo?.media_type === 'image' || photo?.still_filename != null
  return photo && isVisibleToGuests(photo) && hasPicture ? photo : undefined
}

/** Returns whether a gallery is live and revealed, and the link is its present one. */
const opensByLink = (event: EventRow, shareToken: string, now: number): boolean =>
  event.is_draft === 0 &&
  event.is_archived === 0 &&
  !isExpired(event, now) &&
  !isBeforeReveal(event, now) &&
  equalsInConstantTime(shareToken, event.share_token)
