import type { Backends } from '../platform/backends.ts'
import type { Flag } from '../platform/database/tables.ts'
import { Refusal } from '../platform/refusal.ts'
import type { NamedPhoto } from './photo-records.ts'
import { findPhoto, type PhotoRow } from './photo-rows.ts'

export type PhotoPage = {
  photos: Array<NamedPhoto & { category_allows_downloads: Flag | null }>
  /** Photos of the event (visible ones when only these were asked for). */
  total: number
}

type Paging = { page: number; limit: number; onlyVisible?: boolean }

/** One page in the order of every public list: `uploaded_at`, then `id`, ascending (decisions §3). */
export async function listPhotos({ db }: Backends, eventId: number, paging: Paging): Promise<PhotoPage> {
  const { page, limit, onlyVisible = false } = paging
  const ids = db
    .selectFrom('photos')
    .select('id')
    .where('event_id', '=', eventId)
    .$if(onlyVisible, (photos) => photos.where('visibility', '=', 'visible'))
    .orderBy('uploaded_at')
    .orderBy('id')
    .limit(limit)
    .offset((page - 1) * limit)
  const photos = await db
    .selectFrom(ids.as('page'))
    .innerJoin('photos', 'photos.id', 'page.id')
    .leftJoin('categories', 'categories.id', 'photos.category_id')
    .selectAll('photos')
    .select(['categories.name as category_name', 'categories.allow_downloads as category_allows_downloads'])
    .orderBy('photos.uploaded_at')
    .orderBy('photos.id')
    .execute()

  const totals = await db
    .selectFrom('event_photo_totals')
    .select(['photo_count', 'visible_count'])
    .where('event_id', '=', eventId)
    .executeTakeFirst()
  return { photos, total: (onlyVisible ? totals?.visible_count : totals?.photo_count) ?? 0 }
}

export async function withCategoryName({ db }: Backends, photo: PhotoRow): Promise<NamedPhoto> {
  if (photo.category_id === null) return { ...photo, category_name: null }
  const category = await db
    .selectFrom('categories')
    .select('name')
    .where('id', '=', photo.category_id)
    .executeTakeFirst()
  return { ...photo, category_name: category?.name ?? null }
}

/** Throws NOT_FOUND, also for a photo of another event. */
export async function getPhoto(backends: Backends, eventId: number, photoId: number): Promise<NamedPhoto> {
  const photo = await findPhoto(backends.db, eventId, photoId)
  if (!photo) throw new Refusal('NOT_FOUND')
  return withCategoryName(backends, photo)
}
