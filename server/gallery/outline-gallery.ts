import type { Static } from 'typebox'
import type { GalleryFilterQuery, GalleryOutline, GallerySortQuery } from '../../contract/gallery/gallery.ts'
import { listPhotoIds } from '../photo-lists/list-photo-ids.ts'
import { loadPhotoSizes } from '../photos/photo-sizes.ts'
import type { GalleryContext } from './gallery-context.ts'
import { parseGalleryFilter, parseGalleryOrder } from './gallery-filters.ts'
import type { OpenGallery } from './open-gallery-request.ts'
import { isBeforeReveal } from './viewing-rules.ts'

type GalleryOutlineRequest = { page: number; limit: number } & GalleryFilterQuery & GallerySortQuery

/** Matches the photos and order of `listGallery` for the same query. Throws VALIDATION_ERROR. */
export async function loadGalleryOutline(
  { db, clock }: GalleryContext,
  { event, viewer }: OpenGallery,
  query: GalleryOutlineRequest,
): Promise<Static<typeof GalleryOutline>> {
  const { page, limit } = query
  const filter = parseGalleryFilter(query, viewer)
  const order = parseGalleryOrder(query, event, viewer)
  if (viewer.kind === 'guest' && isBeforeReveal(event, clock.now())) {
    return { photos: [], pagination: { page, limit, total: 0, filtered: 0, pages: 0 } }
  }
  const stretch = { offset: (page - 1) * limit, limit }
  const { ids, total, filtered } = await listPhotoIds(db, { eventId: event.id, filter, order }, stretch)
  const sizes = await loadPhotoSizes(db, event.id, ids)
  return { photos: sizes, pagination: { page, limit, total, filtered, pages: Math.ceil(filtered / limit) } }
}
