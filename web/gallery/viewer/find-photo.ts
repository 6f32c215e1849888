import type { GalleryList, GalleryOutline } from '../../../contract/gallery/gallery.ts'
import type { TilePhoto } from '../../../contract/gallery/gallery-tiles.ts'
import { call } from '../state/api.ts'
import { setLoadedPhoto } from '../state/photos.ts'

const outlineLength = 10_000

/** Returns a photo outside of the current list, or null if the gallery does not have it. Throws as `call` does. */
export async function findPhoto(id: number): Promise<TilePhoto | null> {
  for (let page = 1; ; page++) {
    const outline = await call<typeof GalleryOutline>(`/outline?limit=${outlineLength}&page=${page}`)
    const index = outline.photos.findIndex(([one]) => one === id)
    if (index >= 0) {
      const number = (page - 1) * outlineLength + index + 1
      const askedAt = performance.now()
      const { photos } = await call<typeof GalleryList>(`/photos?limit=1&page=${number}`)
      const [photo] = photos
      if (photo?.id !== id) return null
      setLoadedPhoto(photo, askedAt)
      return photo
    }
    if (page >= outline.pagination.pages) return null
  }
}
