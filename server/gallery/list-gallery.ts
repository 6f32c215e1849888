import type { Static } from 'typebox'
import type { GalleryFilterQuery, GalleryOutline, GallerySortQuery } from '../../contract/gallery/gallery.ts'
import { type CountedCategory, listCategories } from '../events/categories/categories.ts'
import { loadOwnFeedback, type OwnFeedback } from '../feedback/own-feedback.ts'
import { listPhotoIds, listPhotos, type PhotoPage } from '../photo-lists/list-photos.ts'
import { loadPhotoSizes } from '../photos/listed-photos.ts'
import type { GalleryContext } from './gallery-context.ts'
import { parseGalleryFilter, parseGalleryOrder } from './gallery-filters.ts'
import type { OpenGallery } from './open-gallery-request.ts'
import { isBeforeReveal } from './viewing-rules.ts'

export type GalleryPage = PhotoPage & {
  /** By photo id. */
  own: Map<number, OwnFeedback>
  categories: CountedCategory[]
  isBeforeReveal: boolean
}

type GalleryListQuery = { page: number; limit: number } & GalleryFilterQuery & GallerySortQuery

/**
 * Before the reveal, guests get an empty list. Otherwise page 1 counts as a view of the guest, at most one in 30
 * minutes; a request of a link preview or a search engine does not count. Throws VALIDATION_ERROR.
 */
export async function listGallery(
  ctx: GalleryContext,
  { event, viewer }: OpenGallery,
  query: GalleryListQuery,
  { isPreviewRequest }: { isPreviewRequest: boolean },
): Promise<GalleryPage> {
  const { page: number, limit } = query
  const filter = parseGalleryFilter(query, viewer)
  const order = parseGalleryOrder(query, event, viewer)
  const guest = viewer.kind === 'guest' ? viewer.guest : null
  if (guest && isBeforeReveal(event, ctx.clock.now())) {
    return { photos: [], total: 0, filtered: 0, own: new Map(), categories: [], isBeforeReveal: true }
  }
  if (guest && number === 1 && !isPreviewRequest) ctx.counts.countEntry(guest)
  const page = await listPhotos(ctx, event.id, { page: number, limit, filter, order })
  const categories = await listCategories(ctx, event.id, { onlyVisible: guest !== null })
  const ids = page.photos.map(({ id }) => id)
  const own = guest ? await loadOwnFeedback(ctx.db, guest.guestId, ids) : new Map()
  return { ...page, own, categories: categories.filter(({ photo_count }) => photo_count > 0), isBeforeReveal: false }
}

/** Returns the sizes of the photos of `listGallery` for the same query, in the same order. Throws VALIDATION_ERROR. */
export async function loadGalleryOutline(
  { db, clock }: GalleryContext,
  { event, viewer }: OpenGallery,
  query: GalleryListQuery,
): Promise<Static<typeof GalleryOutline>> {
  const { page, limit } = query
  const filter = parseGalleryFilter(query, viewer)
  const order = parseGalleryOrder(query, event, viewer)
  if (viewer.kind === 'guest' && isBeforeReveal(event, clock.now())) {
    return { photos: [], pagination: { page, limit, total: 0, filtered: 0, pages: 0 } }
  }
  const range = { offset: (page - 1) * limit, limit }
  const { ids, total, filtered } = await listPhotoIds(db, { eventId: event.id, filter, order }, range)
  const sizes = await loadPhotoSizes(db, event.id, ids)
  return { photos: sizes, pagination: { page, limit, total, filtered, pages: Math.ceil(filtered / limit) } }
}
