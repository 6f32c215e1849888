import type { CountedCategory } from '../events/categories.ts'
import { listCategories } from '../events/categories.ts'
import { listPhotos, type PhotoPage } from '../photos/list-photos.ts'
import type { GalleryHouse } from './gallery-house.ts'
import type { OpenGallery } from './open-gallery.ts'
import { isBeforeReveal } from './viewing-rules.ts'

export type GalleryPage = PhotoPage & { categories: CountedCategory[]; isBeforeReveal: boolean }

/** The photos a viewer may see, one page of them. Before the reveal there are none, and no categories. */
export async function listGallery(
  house: GalleryHouse,
  { event, viewer }: OpenGallery,
  paging: { page: number; limit: number },
): Promise<GalleryPage> {
  const isGuest = viewer.kind === 'guest'
  if (isGuest && isBeforeReveal(event, house.clock.now())) {
    return { photos: [], total: 0, categories: [], isBeforeReveal: true }
  }
  const page = await listPhotos(house, event.id, { ...paging, onlyVisible: isGuest })
  const used = (await listCategories(house, event.id)).filter(({ photo_count }) => photo_count > 0)
  return { ...page, categories: used, isBeforeReveal: false }
}
