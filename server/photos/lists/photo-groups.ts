import type { PhotoGroup } from '../../../contract/gallery/photo-groups.ts'
import type { Database } from '../../platform/database/tables.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { loadPhotosByIds } from '../listed-photos.ts'
import type { ListRange, PhotoOrder } from '../photo-orders.ts'
import { countPhotos, listPhotoIds, type PhotoListQuery, type PhotoPage } from './list-photos.ts'
import { type PhotoFilter, resolveSearch, selectFilteredPhotos } from './photo-filters.ts'

export type { PhotoGroup }

/** Returns how many photos pass the filter, by category; null for those without a category. */
export async function countByCategory(
  db: Database,
  eventId: number,
  filter: PhotoFilter,
): Promise<Map<number | null, number>> {
  const rows = await selectFilteredPhotos(db, eventId, await resolveSearch(db, eventId, filter))
    .select((photo) => ['photos.category_id', photo.fn.countAll<number>().as('count')])
    .groupBy('photos.category_id')
    .execute()
  return new Map(rows.map(({ category_id, count }) => [category_id, Number(count)]))
}

/** Returns ids in the order of the groups, and within a group in the order of the list. */
export async function listGroupedIds(
  db: Database,
  { eventId, filter, order }: PhotoListQuery,
  groups: readonly PhotoGroup[],
  { offset, limit }: ListRange,
): Promise<number[]> {
  const resolved = await resolveSearch(db, eventId, filter)
  const ids: number[] = []
  let start = 0
  for (const { category_id: category, count } of groups) {
    const from = Math.max(offset - start, 0)
    const length = Math.min(offset + limit - start, count) - from
    start += count
    if (length <= 0) continue
    const list = { eventId, filter: { ...resolved, category }, order }
    ids.push(...(await listPhotoIds(db, list, { offset: from, limit: length })).ids)
  }
  return ids
}

type GroupedPageOptions = { page: number; limit: number; filter: PhotoFilter; order: PhotoOrder }

/** Returns a page of the photos, in the order of `listGroupedIds`. */
export async function listGroupedPhotos(
  { db }: PlatformContext,
  eventId: number,
  groups: readonly PhotoGroup[],
  { page, limit, filter, order }: GroupedPageOptions,
): Promise<PhotoPage> {
  const ids = await listGroupedIds(db, { eventId, filter, order }, groups, { offset: (page - 1) * limit, limit })
  return { photos: await loadPhotosByIds(db, ids, null), ...(await countPhotos(db, eventId, filter)) }
}
