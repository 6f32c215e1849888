import type { GalleryFilterQuery, GallerySortQuery } from '../../contract/gallery/gallery.ts'
import { type CountedCategory, listCategories, listFilledCategories } from '../events/categories/categories.ts'
import { loadOwnFeedback, type OwnFeedback } from '../feedback/own-feedback.ts'
import { countVideos, listPhotos, type PhotoPage } from '../photo-lists/list-photos.ts'
import type { GalleryContext } from './gallery-context.ts'
import { parseGalleryFilter, parseGalleryOrder } from './gallery-filters.ts'
import type { OpenGallery } from './open-gallery-request.ts'
import { isBeforeReveal } from './viewing-rules.ts'

export type GalleryPage = PhotoPage & {
  /** By photo id. */
  own: Map<number, OwnFeedback>
  categories: CountedCategory[]
  /** How many photos of `total` are videos. */
  videoCount: number
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
    return { photos: [], total: 0, filtered: 0, own: new Map(), categories: [], videoCount: 0, isBeforeReveal: true }
  }
  if (guest && number === 1 && !isPreviewRequest) ctx.counts.countEntry(guest)
  const page = await listPhotos(ctx, event.id, { page: number, limit, filter, order })
  const counts = await countGallery(ctx, event.id, { onlyVisible: guest !== null })
  const categories = await listFilledCategories(ctx, event.id, counts.byCategory)
  const ids = page.photos.map(({ id }) => id)
  const own = guest ? await loadOwnFeedback(ctx.db, guest.guestId, ids) : new Map()
  return { ...page, own, categories, videoCount: counts.videos, isBeforeReveal: false }
}

function countGallery(ctx: GalleryContext, eventId: number, viewed: { onlyVisible: boolean }) {
  return ctx.photoCounts.getOrLoad(ctx.db, eventId, JSON.stringify(viewed), async () => {
    const categories = await listCategories(ctx, eventId, viewed)
    return {
      byCategory: new Map(categories.map(({ id, photo_count }) => [id, Number(photo_count)])),
      videos: await countVideos(ctx.db, eventId, viewed),
    }
  })
}
