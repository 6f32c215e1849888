import type { GalleryPhoto } from '../../contract/gallery.ts'
import type { GalleryAsked } from '../../contract/gallery-page.ts'
import { photosOf } from '../photos/listed-photos.ts'
import { placesOf } from '../photos/photo-places.ts'
import { AppError } from '../platform/app-error.ts'
import { noFeedback } from '../proofing/own-feedback.ts'
import type { GalleryContext } from './gallery-context.ts'
import { galleryFilter, galleryOrder } from './gallery-filters.ts'
import { galleryPhoto } from './gallery-records.ts'
import type { OpenGallery } from './open-gallery.ts'
import { assertViewable } from './viewing-rules.ts'

export type ShownPhoto = {
  photo: GalleryPhoto
  /** The query that `number` and `total` refer to; if the requested one does not contain the photo, all photos. */
  asked: GalleryAsked
  number: number
  total: number
  previous: number | null
  next: number | null
}

const maxPlaces = 100_000

/** Returns null for a photo that the viewer may not see. Throws VALIDATION_ERROR for invalid filters. */
export async function findShownPhoto(
  ctx: GalleryContext,
  gallery: OpenGallery,
  id: number,
  asked: GalleryAsked,
): Promise<ShownPhoto | null> {
  const { event, viewer } = gallery
  try {
    assertViewable(event, await ctx.galleries.photo(id), viewer, 'photo', ctx.clock.now())
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
  const [row] = await photosOf(ctx.db, [id], null)
  if (!row) return null
  const photo = galleryPhoto(event, row, noFeedback)
  const { sort, order } = asked
  const all: GalleryAsked = { ...(sort && { sort }), ...(order && { order }) }
  for (const among of [asked, all]) {
    const place = await placeAmong(ctx, gallery, id, among)
    if (place) return { photo, asked: among, ...place }
  }
  return { photo, asked: all, number: 1, total: 1, previous: null, next: null }
}

async function placeAmong({ db }: GalleryContext, { event, viewer }: OpenGallery, id: number, asked: GalleryAsked) {
  const photos = {
    eventId: event.id,
    filter: galleryFilter(asked, viewer),
    order: galleryOrder(asked, event, viewer),
  }
  const { ids, filtered } = await placesOf(db, photos, { offset: 0, limit: maxPlaces })
  const index = ids.indexOf(id)
  if (index < 0) return null
  return { number: index + 1, total: filtered, previous: ids[index - 1] ?? null, next: ids[index + 1] ?? null }
}
