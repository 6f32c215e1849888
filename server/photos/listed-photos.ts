import type { MarkSource } from '../../contract/marks.ts'
import type { PhotoRecord } from '../../contract/photos.ts'
import type { EventRow } from '../events/event-rows.ts'
import { visibleToGuests } from '../events/visible-photos.ts'
import { allMarks, type JoinedMarks, markColumns } from '../feedback/marks/mark-joins.ts'
import { runCompiled } from '../platform/database/compile-once.ts'
import { isInParameter, maxShortRead, shortRead, toParameter } from '../platform/database/short-read.ts'
import type { Database, Flag } from '../platform/database/tables.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { isoTime, isoTimeOrNull } from '../platform/time/clock.ts'
import { type ColumnOrder, type ListRange, orderPhotos } from './photo-orders.ts'
import type { PhotoRow } from './photo-rows.ts'

/** All columns that records of photos and the orders of lists need. */
const listedColumns = [
  'id',
  'filename',
  'original_filename',
  'source_filename',
  'media_type',
  'mime_type',
  'size_bytes',
  'content_hash',
  'width',
  'height',
  'duration',
  'captured_at',
  'thumbhash',
  'thumbnail_filename',
  'still_size_bytes',
  'type',
  'category_id',
  'auto_categorized',
  'visibility',
  'awaits_review',
  'processing_status',
  'processing_error',
  'uploaded_at',
  'uploaded_by',
  'guest_id',
  'name_sort',
  'manual_position',
] as const satisfies Array<keyof PhotoRow>

export type ListedPhoto = Pick<PhotoRow, (typeof listedColumns)[number]> &
  JoinedMarks & { category_name: string | null; category_allows_downloads: Flag | null }

/** Returns photos in the order of the ids; unknown ids are left out. */
export async function loadPhotosByIds(
  db: Database,
  ids: readonly number[],
  userId: number | null,
): Promise<ListedPhoto[]> {
  if (ids.length === 0) return []
  const isShort = ids.length <= maxShortRead
  const values = { userId: userId ?? 0, ids: toParameter(db, ids) }
  const rows = await runCompiled(db, `photos by ids, short: ${isShort}`, values, ({ userId, ids }) => {
    const photos = listed(db, userId).where(isInParameter(db, 'photos.id', ids))
    return isShort ? photos.modifyEnd(shortRead) : photos
  })
  const byId = new Map(rows.map((photo) => [photo.id, photo]))
  return ids.map((id) => byId.get(id)).filter((photo) => photo !== undefined)
}

type FewPhotos = { eventId: number; onlyVisible: boolean; order: ColumnOrder; userId: number | null }

/**
 * Returns a page near the beginning of a list without filters. It takes one query instead of two: with two, the service answers
 * 15 to 40 % fewer of these pages per second (`npm run bench -- list-load`).
 */
export function loadFirstPhotos(
  db: Database,
  { eventId, onlyVisible, order, userId }: FewPhotos,
  { offset, limit }: ListRange,
): Promise<ListedPhoto[]> {
  const key = `first photos by ${order.by} ${order.direction}, only visible: ${onlyVisible}`
  return runCompiled(db, key, { userId: userId ?? 0, eventId, limit, offset }, (values) => {
    const photos = listed(db, values.userId).where('photos.event_id', '=', values.eventId)
    const allowed = onlyVisible ? photos.where(visibleToGuests()) : photos
    return orderPhotos(allowed, order).limit(values.limit).offset(values.offset).modifyEnd(shortRead)
  })
}

const listed = (db: Database, userId: number) =>
  db
    .selectFrom('photos')
    .leftJoin('categories', 'categories.id', 'photos.category_id')
    .leftJoin('photo_marks', 'photo_marks.photo_id', 'photos.id')
    .leftJoin('account_marks', (join) =>
      join.onRef('account_marks.photo_id', '=', 'photos.id').on('account_marks.user_id', '=', userId),
    )
    .select(listedColumns.map((column) => `photos.${column}` as const))
    .select(['categories.name as category_name', 'categories.allow_downloads as category_allows_downloads'])
    .select(markColumns)

/** Throws NOT_FOUND for an unknown photo or a photo of another event. */
export async function getListedPhoto(
  { db }: PlatformContext,
  eventId: number,
  photoId: number,
  userId: number | null,
): Promise<ListedPhoto> {
  const [photo] = await runCompiled(db, 'photo of an event', { userId: userId ?? 0, photoId, eventId }, (values) =>
    listed(db, values.userId)
      .where('photos.id', '=', values.photoId)
      .where('photos.event_id', '=', values.eventId)
      .modifyEnd(shortRead),
  )
  if (!photo) throw new AppError('NOT_FOUND')
  return photo
}

/** Merges the marks of all guests and of the account. Throws NOT_FOUND. */
export const getPhotoRecord = async (
  ctx: PlatformContext,
  event: Pick<EventRow, 'id' | 'slug'>,
  photoId: number,
  userId: number,
): Promise<PhotoRecord> => photoRecord(await getListedPhoto(ctx, event.id, photoId, userId), event.slug)

/** `source`: whose marks determine `rating` and `color_label`. */
export const photoRecord = (row: ListedPhoto, slug: string, source: MarkSource = 'either'): PhotoRecord => ({
  id: row.id,
  filename: row.filename,
  original_filename: row.original_filename,
  source_filename: row.source_filename,
  path: `${slug}/${row.filename}`,
  thumbnail_path: row.thumbnail_filename,
  size_bytes: row.size_bytes,
  type: row.type,
  category_id: row.category_id,
  category: row.category_name,
  width: row.width,
  height: row.height,
  visibility: row.visibility,
  ...allMarks(row, source),
  client_marked_at: isoTimeOrNull(row.marked_at),
  my_marked_at: isoTimeOrNull(row.my_marked_at),
  media_type: row.media_type,
  mime_type: row.mime_type,
  duration: row.duration,
  captured_at: isoTimeOrNull(row.captured_at),
  uploaded_at: isoTime(row.uploaded_at),
  uploaded_by: row.uploaded_by,
  auto_categorized: row.auto_categorized === 1,
  processing_status: row.processing_status,
  processing_error: row.processing_error,
  content_hash: row.content_hash,
  thumbhash: row.thumbhash,
})

export type SizedPhoto = [id: number, width: number | null, height: number | null]

/** Databases limit the number of parameters of a statement. */
const idsPerQuery = 1_000

/** Returns the sizes in the order of the ids. Leaves out unknown ids and ids of other events. */
export async function loadPhotoSizes(db: Database, eventId: number, ids: readonly number[]): Promise<SizedPhoto[]> {
  const sizes = new Map<number, SizedPhoto>()
  for (let from = 0; from < ids.length; from += idsPerQuery) {
    const rows = await db
      .selectFrom('photos')
      .select(['id', 'width', 'height'])
      .where('event_id', '=', eventId)
      .where('id', 'in', ids.slice(from, from + idsPerQuery))
      .execute()
    for (const { id, width, height } of rows) sizes.set(id, [id, width, height])
  }
  return ids.map((id) => sizes.get(id)).filter((size) => size !== undefined)
}
