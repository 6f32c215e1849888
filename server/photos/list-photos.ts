import type { PlatformContext } from '../platform/platform-context.ts'
import { type ListedPhoto, photosOf } from './listed-photos.ts'
import type { PhotoFilter } from './photo-filters.ts'
import { type PhotoOrder, uploadOrder } from './photo-orders.ts'
import { type Places, placesOf } from './photo-places.ts'

export type PhotoPage = Pick<Places, 'total' | 'filtered'> & { photos: ListedPhoto[] }

type Wanted = {
  page: number
  limit: number
  /** The account whose own marks are joined; null for none. */
  userId?: number | null
  filter?: PhotoFilter
  order?: PhotoOrder
}

/** Defaults to all photos in upload order. */
export async function listPhotos({ db }: PlatformContext, eventId: number, wanted: Wanted): Promise<PhotoPage> {
  const { page, limit, userId = null, filter = {}, order = uploadOrder } = wanted
  const { ids, ...counts } = await placesOf(db, { eventId, filter, order }, { offset: (page - 1) * limit, limit })
  return { photos: await photosOf(db, ids, userId), ...counts }
}
