import type { EventRow } from '../events/event-rows.ts'
import { isExpired } from '../events/event-rules.ts'
import { findCover } from '../photos/cover-photos.ts'
import { coverLook } from '../photos/guest-look.ts'
import type { PhotoRow } from '../photos/photo-rows.ts'
import type { RenditionWish } from '../photos/rendition-rows.ts'
import { sharePath } from '../platform/links.ts'
import { Refusal } from '../platform/refusal.ts'
import { isSame } from './enter-gallery.ts'
import type { GalleryHouse } from './gallery-house.ts'
import { isBeforeReveal } from './viewing-rules.ts'

/** The cover of a gallery that its link alone opens now. Throws NOT_FOUND for whatever reason there is none. */
export async function getCoverPicture(
  house: GalleryHouse,
  { slug, shareToken }: { slug: string; shareToken: string },
): Promise<{ photo: PhotoRow; wish: RenditionWish }> {
  const event = await house.galleries.event(slug)
  const photo = event && (await shownCover(house, event, shareToken))
  if (!photo) throw new Refusal('NOT_FOUND')
  const look = coverLook(event, await house.settings.values())
  return { photo, wish: { look, bound_px: look.crop.width, format: 'jpeg' } }
}

/** That picture and the whole link, for whoever asks about the link; null where the link shows nothing to just anybody. */
export type LinkPreview = { url: string; pictureUrl: string; width: number; height: number }

export async function findLinkPreview(
  house: GalleryHouse,
  event: EventRow,
  shareToken: string | null,
): Promise<LinkPreview | null> {
  if (shareToken === null || !(await shownCover(house, event, shareToken))) return null
  const url = (await house.settings.linkOrigin()) + sharePath(event)
  const { width, height } = coverLook(event, await house.settings.values()).crop
  return { url, pictureUrl: `${url}/cover.jpg`, width, height }
}

/** What is shown to anybody who has the link, programs included, has to be live, revealed and without a password. */
async function shownCover({ db, clock }: GalleryHouse, event: EventRow, shareToken: string) {
  const now = clock.now()
  const isLive = event.is_draft === 0 && event.is_archived === 0 && !isExpired(event, now)
  const isOpen = isLive && event.require_password === 0 && !isBeforeReveal(event, now)
  return isOpen && isSame(shareToken, event.share_token) ? findCover(db, event.id) : undefined
}
