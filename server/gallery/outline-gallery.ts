import type { Static } from 'typebox'
import type { GalleryFilterQuery, GalleryOutline, GallerySortQuery } from '../../contract/gallery.ts'
import { placesOf } from '../photos/photo-places.ts'
import { sizesOf } from '../photos/photo-sizes.ts'
import type { GalleryContext } from './gallery-context.ts'
import { galleryFilter, galleryOrder } from './gallery-filters.ts'
import type { OpenGallery } from './open-gallery.ts'
import { isBeforeReveal } from './viewing-rules.ts'

type Wanted = { page: number; limit: number } & GalleryFilterQuery & GallerySortQuery

/** Matches the photos and order of `listGallery` for the same query. Throws VALIDATION_ERROR. */
export async function outlineGallery(
  { db, clock }: GalleryContext,
  { event, viewer }: OpenGallery,
  wanted: Wanted,
): Promise<Static<typeof GalleryOutline>> {
  const { page, limit } = wanted
  const filter = galleryFilter(wanted, viewer)
  const order = galleryOrder(wanted, event, viewer)
  if (viewer.kind === 'guest' && isBeforeReveal(event, clock.now())) {
    return { photos: [], pagination: { page, limit, total: 0, filtered: 0, pages: 0 } }
  }
  const stretch = { offset: (page - 1) * limit, limit }
  const { ids, total, filtered } = await placesOf(db, { eventId: event.id, filter, order }, stretch)
  const sizes = await sizesOf(db, event.id, ids)
  return { photos: sizes, pagination: { page, limit, total, filtered, pages: Math.ceil(filtered / limit) } }
}
