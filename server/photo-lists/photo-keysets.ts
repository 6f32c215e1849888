import { type SelectQueryBuilder, sql } from 'kysely'
import type { ListedPhoto } from '../photos/listed-photos.ts'
import type { Database, Tables } from '../platform/database/tables.ts'
import { type PhotoListQuery, selectRatedPhotos } from './list-photo-ids.ts'
import { selectFilteredPhotos } from './photo-filters.ts'
import type { PhotoOrder } from './photo-orders.ts'

/** Sort values and id of a photo, valid when other photos come and go. */
export type Position = { id: number; key: Array<number | string> }

type KeysetRange = { after: Position | null; limit: number }

const columns = {
  upload_date: 'uploaded_at',
  capture_date: 'captured_at',
  filename: 'name_sort',
  size: 'size_bytes',
} as const
type ColumnSort = { by: keyof typeof columns; direction: PhotoOrder['direction'] }

export const getPosition = (order: PhotoOrder, photo: ListedPhoto): Position => ({
  id: photo.id,
  key: getSortKey(order, photo),
})

/** A photo without a capture time has an empty key. */
function getSortKey({ by }: PhotoOrder, photo: ListedPhoto): Position['key'] {
  if (by === 'rating') return [photo.average_hundredths ?? 0, photo.uploaded_at]
  const value = photo[columns[by]]
  return value === null ? [] : [value]
}

/** Reads an index from the position on, so the last page is as fast as the first. */
export function listPositionsAfter(
  db: Database,
  { order, ...photos }: PhotoListQuery & { order: PhotoOrder },
  remaining: KeysetRange,
): Promise<Position[]> {
  const { by, direction } = order
  if (by === 'rating') return listAfterByRating(db, photos, direction, remaining)
  if (by === 'capture_date') return listAfterByCaptureTime(db, photos, direction, remaining)
  return listAfterByColumn(selectFilteredPhotos(db, photos.eventId, photos.filter), { by, direction }, remaining)
}

type FilteredPhotosQuery = SelectQueryBuilder<Tables, 'photos', object>

async function listAfterByColumn(
  photos: FilteredPhotosQuery,
  { by, direction }: ColumnSort,
  { after, limit }: KeysetRange,
): Promise<Position[]> {
  const column = `photos.${columns[by]}` as const
  const positions = photos.select(['photos.id', `${column} as value`])
  const remaining = after ? positions.where(isAfter([column, 'photos.id'], direction, after)) : positions
  const rows = await remaining.orderBy(column, direction).orderBy('photos.id', direction).limit(limit).execute()
  return rows.map(({ id, value }) => ({ id, key: [value as number | string] }))
}

/** Photos without a capture time come last, ordered by id. */
async function listAfterByCaptureTime(
  db: Database,
  { eventId, filter }: Omit<PhotoListQuery, 'order'>,
  direction: PhotoOrder['direction'],
  { after, limit }: KeysetRange,
): Promise<Position[]> {
  const passing = selectFilteredPhotos(db, eventId, filter)
  const isInUntimedPart = after?.key.length === 0
  const first = isInUntimedPart
    ? []
    : await listAfterByColumn(
        passing.where('photos.captured_at', 'is not', null),
        { by: 'capture_date', direction },
        { after, limit },
      )
  if (first.length === limit) return first
  const others = await listAfterById(passing.where('photos.captured_at', 'is', null), direction, {
    after: isInUntimedPart ? after : null,
    limit: limit - first.length,
  })
  return [...first, ...others]
}

async function listAfterById(
  photos: FilteredPhotosQuery,
  direction: PhotoOrder['direction'],
  { after, limit }: KeysetRange,
): Promise<Position[]> {
  const remaining = after ? photos.where(isAfter(['photos.id'], direction, after)) : photos
  const rows = await remaining.select('photos.id').orderBy('photos.id', direction).limit(limit).execute()
  return rows.map(({ id }) => ({ id, key: [] }))
}

/** Photos without a rating come last, with rating 0, ordered by upload time. */
async function listAfterByRating(
  db: Database,
  photos: Omit<PhotoListQuery, 'order'>,
  direction: PhotoOrder['direction'],
  { after, limit }: KeysetRange,
): Promise<Position[]> {
  const isInUnratedPart = after?.key[0] === 0
  const first = isInUnratedPart ? [] : await listRatedAfter(db, photos, direction, { after, limit })
  if (first.length === limit) return first
  const others = await listAfterByColumn(
    selectPhotosWithoutRating(db, photos),
    { by: 'upload_date', direction },
    {
      after: after && isInUnratedPart ? { id: after.id, key: after.key.slice(1) } : null,
      limit: limit - first.length,
    },
  )
  return [...first, ...others.map(({ id, key }) => ({ id, key: [0, ...key] }))]
}

const selectPhotosWithoutRating = (db: Database, { eventId, filter }: Omit<PhotoListQuery, 'order'>) =>
  selectFilteredPhotos(db, eventId, filter).where(({ not, exists, selectFrom }) =>
    not(
      exists(
        selectFrom('photo_marks as stars')
          .select('stars.photo_id')
          .whereRef('stars.photo_id', '=', 'photos.id')
          .where('stars.average_hundredths', '>', 0),
      ),
    ),
  )

async function listRatedAfter(
  db: Database,
  photos: Omit<PhotoListQuery, 'order'>,
  direction: PhotoOrder['direction'],
  { after, limit }: KeysetRange,
): Promise<Position[]> {
  const rated = selectRatedPhotos(db, photos).select(['photo_id', 'average_hundredths', 'uploaded_at'])
  const remaining = after
    ? rated.where(isAfter(['average_hundredths', 'uploaded_at', 'photo_id'], direction, after))
    : rated
  const rows = await remaining
    .orderBy('average_hundredths', direction)
    .orderBy('uploaded_at', direction)
    .orderBy('photo_id', direction)
    .limit(limit)
    .execute()
  return rows.map(({ photo_id: id, average_hundredths, uploaded_at }) => ({
    id,
    key: [average_hundredths, uploaded_at],
  }))
}

function isAfter(sortedBy: readonly string[], direction: PhotoOrder['direction'], { id, key }: Position) {
  const place = sql.join(sortedBy.map((column) => sql.ref(column)))
  return sql<boolean>`(${place}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${sql.join([...key, id])})`
}
