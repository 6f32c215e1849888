import { type ListedPhoto, loadPhotosByIds } from '../photos/listed-photos.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { listPhotoIds, type PhotoIdPage } from './list-photo-ids.ts'
import type { PhotoFilter } from './photo-filters.ts'
import { type PhotoOrder, uploadOrder } from './photo-orders.ts'

export type PhotoPage = Pick<PhotoIdPage, 'total' | 'filtered'> & { photos: ListedPhoto[] }

type ListPhotosOptions = {
  page: number
  limit: number
  /** The account whose own marks are joined; null for none. */
  userId?: number | null
  filter?: PhotoFilter
  order?: PhotoOrder
}

/** Defaults to all photos in upload order. */
export async function listPhotos(
  { db }: PlatformContext,
  eventId: number,
  options: ListPhotosOptions,
): Promise<PhotoPage> {
  const { page, limit, userId = null, filter = {}, order = uploadOrder } = options
  const { ids, ...counts } = await listPhotoIds(db, { eventId, filter, order }, { offset: (page - 1) * limit, limit })
  return { photos: await loadPhotosByIds(db, ids, userId), ...counts }
}
