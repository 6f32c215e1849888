import type { CountedCategory } from '../events/categories.ts'
import { listCategories } from '../events/categories.ts'
import { listPhotos, type PhotoPage } from '../photos/list-photos.ts'
import { type OwnFeedback, ownFeedback } from '../proofing/own-feedback.ts'
import type { GalleryHouse } from './gallery-house.ts'
import type { OpenGallery } from './open-gallery.ts'
import { isBeforeReveal } from './viewing-rules.ts'

export type GalleryPage = PhotoPage & {
  /** What the guest has given, by photo id. */
  own: Map<number, OwnFeedback>
  categories: CountedCategory[]
  isBeforeReveal: boolean
}

/** The photos a viewer may see, one page of them. Before the reveal there are none, and no categories. */
export async function listGallery(
  house: GalleryHouse,
  { event, viewer }: OpenGallery,
  paging: { page: number; limit: number },
): Promise<GalleryPage> {
  const isGuest = viewer.kind === 'guest'
  if (isGuest && isBeforeReveal(event, house.clock.now())) {
    return { photos: [], total: 0, filtered: 0, own: new Map(), categories: [], isBeforeReveal: true }
  }
  if (viewer.kind === 'guest' && paging.page === 1) house.counts.entered(viewer.guest)
  const page = await listPhotos(house, event.id, { ...paging, onlyVisible: isGuest })
  const used = (await listCategories(house, event.id)).filter(({ photo_count }) => photo_count > 0)
  const ids = page.photos.map(({ id }) => id)
  const own = viewer.kind === 'guest' ? await ownFeedback(house.db, viewer.guest.guestId, ids) : new Map()
  return { ...page, own, categories: used, isBeforeReveal: false }
}
