import { type JoinedMarks, markColumns } from '../feedback/mark-joins.ts'
import { AppError } from '../platform/app-error.ts'
import type { Database, Flag } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { PhotoRow } from './photo-rows.ts'

export type ListedPhoto = PhotoRow &
  JoinedMarks & { category_name: string | null; category_allows_downloads: Flag | null }

/** Returns photos in the order of the ids; unknown ids are left out. */
export async function loadPhotosByIds(
  db: Database,
  ids: readonly number[],
  userId: number | null,
): Promise<ListedPhoto[]> {
  if (ids.length === 0) return []
  const rows = await listed(db, userId).where('photos.id', 'in', ids).execute()
  const byId = new Map(rows.map((photo) => [photo.id, photo]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const listed = (db: Database, userId: number | null) =>
  db
    .selectFrom('photos')
    .leftJoin('categories', 'categories.id', 'photos.category_id')
    .leftJoin('photo_marks', 'photo_marks.photo_id', 'photos.id')
    .leftJoin('account_marks', (join) =>
      join.onRef('account_marks.photo_id', '=', 'photos.id').on('account_marks.user_id', '=', userId ?? 0),
    )
    .selectAll('photos')
    .select(['categories.name as category_name', 'categories.allow_downloads as category_allows_downloads'])
    .select(markColumns)

/** Throws NOT_FOUND, also for a photo of another event. */
export async function getListedPhoto(
  { db }: PlatformContext,
  eventId: number,
  photoId: number,
  userId: number | null,
): Promise<ListedPhoto> {
  const photo = await listed(db, userId)
    .where('photos.id', '=', photoId)
    .where('photos.event_id', '=', eventId)
    .executeTakeFirst()
  if (!photo) throw new AppError('NOT_FOUND')
  return photo
}
