import type { GalleryFilterQuery, GallerySortQuery } from '../../contract/gallery.ts'
import type { CountedCategory } from '../events/categories.ts'
import { listCategories } from '../events/categories.ts'
import { listPhotos, type PhotoPage } from '../photos/list-photos.ts'
import { type OwnFeedback, ownFeedback } from '../proofing/own-feedback.ts'
import type { GalleryContext } from './gallery-context.ts'
import { galleryFilter, galleryOrder } from './gallery-filters.ts'
import type { OpenGallery } from './open-gallery.ts'
import { isBeforeReveal } from './viewing-rules.ts'

export type GalleryPage = PhotoPage & {
  /** By photo id. */
  own: Map<number, OwnFeedback>
  categories: CountedCategory[]
  isBeforeReveal: boolean
}

type Wanted = { page: number; limit: number } & GalleryFilterQuery & GallerySortQuery
type From = { isPreviewRequest: boolean }

/** Counts the view of a guest's first page. Before the reveal, returns nothing. Throws VALIDATION_ERROR. */
export async function listGallery(
  ctx: GalleryContext,
  { event, viewer }: OpenGallery,
  wanted: Wanted,
  { isPreviewRequest }: From,
): Promise<GalleryPage> {
  const { page: number, limit } = wanted
  const filter = galleryFilter(wanted, viewer)
  const order = galleryOrder(wanted, event, viewer)
  const isGuest = viewer.kind === 'guest'
  if (isGuest && isBeforeReveal(event, ctx.clock.now())) {
    return { photos: [], total: 0, filtered: 0, own: new Map(), categories: [], isBeforeReveal: true }
  }
  if (viewer.kind === 'guest' && number === 1 && !isPreviewRequest) ctx.counts.entered(viewer.guest)
  const page = await listPhotos(ctx, event.id, { page: number, limit, filter, order })
  const categories = await listCategories(ctx, event.id, { onlyVisible: isGuest })
  const ids = page.photos.map(({ id }) => id)
  const own = viewer.kind === 'guest' ? await ownFeedback(ctx.db, viewer.guest.guestId, ids) : new Map()
  return { ...page, own, categories: categories.filter(({ photo_count }) => photo_count > 0), isBeforeReveal: false }
}
