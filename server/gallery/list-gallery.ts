import type { Static } from 'typebox'
import type { GalleryListQuery } from '../../contract/gallery/gallery.ts'
import type { CountedCategory } from '../events/categories/categories.ts'
import { loadOwnFeedback, type OwnFeedback } from '../feedback/own-feedback.ts'
import type { OpenGallery } from '../gallery-access/open-gallery-request.ts'
import { isBeforeReveal } from '../gallery-access/viewing-rules.ts'
import { loadListTotals } from '../photos/lists/list-cache.ts'
import { listPhotos, type PhotoPage } from '../photos/lists/list-photos.ts'
import { listGroupedPhotos, type PhotoGroup } from '../photos/lists/photo-groups.ts'
import type { GalleryContext } from './gallery-context.ts'
import { parseGalleryFilter, parseGalleryOrder } from './gallery-filters.ts'
import { loadContents, loadGroups } from './load-groups.ts'

export type GalleryPage = PhotoPage & {
  /** By photo id. */
  own: Map<number, OwnFeedback>
  categories: CountedCategory[]
  /** Null if the list is not grouped. */
  groups: PhotoGroup[] | null
  /** How many photos of `total` are videos. */
  videoCount: number
  isBeforeReveal: boolean
}

/**
 * Before the reveal, guests get an empty list. Otherwise page 1 counts as a view of the guest, at most one in 30
 * minutes; a request of a link preview or a search engine does not count. Throws VALIDATION_ERROR.
 */
export async function listGallery(
  ctx: GalleryContext,
  { event, viewer }: OpenGallery,
  query: Static<typeof GalleryListQuery>,
  { isPreviewRequest }: { isPreviewRequest: boolean },
): Promise<GalleryPage> {
  const { page: number, limit } = query
  const filter = parseGalleryFilter(query, viewer)
  const order = parseGalleryOrder(query, event, viewer)
  const guest = viewer.kind === 'guest' ? viewer.guest : null
  if (guest && isBeforeReveal(event, ctx.clock.now())) {
    const nothing = { photos: [], total: 0, filtered: 0, own: new Map(), categories: [], groups: null, videoCount: 0 }
    return { ...nothing, isBeforeReveal: true }
  }
  if (guest && number === 1 && !isPreviewRequest) ctx.counts.countEntry(guest)
  const totals = await loadListTotals(ctx.db, event.id)
  const contents = await loadContents(ctx, event, totals, { onlyVisible: guest !== null })
  const groups = query.group ? await loadGroups(ctx, event, filter, contents.categories) : null
  const options = { page: number, limit, filter, order, totals }
  const page = groups
    ? await listGroupedPhotos(ctx, event.id, groups, options)
    : await listPhotos(ctx, event.id, options)
  const ids = page.photos.map(({ id }) => id)
  const own = guest ? await loadOwnFeedback(ctx.db, guest.guestId, ids) : new Map()
  return { ...page, ...contents, groups, own, isBeforeReveal: false }
}
