import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database, Tables } from '../platform/database/tables.ts'
import type { ListedPhoto } from './listed-photos.ts'
import { photosPassing } from './photo-filters.ts'
import type { PhotoOrder } from './photo-orders.ts'
import { type PlacedPhotos, ratedPhotos } from './photo-places.ts'

/** Sort values and id of a photo, valid when other photos come and go. */
export type Position = { id: number; key: Array<number | string> }

type Rest = { after: Position | null; limit: number }

const columns = {
  upload_date: 'uploaded_at',
  capture_date: 'captured_at',
  filename: 'name_sort',
  size: 'size_bytes',
} as const
type ByColumn = { by: keyof typeof columns; direction: PhotoOrder['direction'] }

export const positionOf = (order: PhotoOrder, photo: ListedPhoto): Position => ({
  id: photo.id,
  key: keyOf(order, photo),
})

/** A photo without a capture time has an empty key. */
function keyOf({ by }: PhotoOrder, photo: ListedPhoto): Position['key'] {
  if (by === 'rating') return [photo.average_hundredths ?? 0, photo.uploaded_at]
  const value = photo[columns[by]]
  return value === null ? [] : [value]
}

/** Reads an index from the position on, so the last page is as fast as the first. */
export function positionsBehind(
  db: Database,
  { order, ...photos }: PlacedPhotos & { order: PhotoOrder },
  rest: Rest,
): Promise<Position[]> {
  const { by, direction } = order
  if (by === 'rating') return behindByRating(db, photos, direction, rest)
  if (by === 'capture_date') return behindByCapture(db, photos, direction, rest)
  return behindByColumn(photosPassing(db, photos.eventId, photos.filter), { by, direction }, rest)
}

type PassingPhotos = SelectQueryBuilder<Tables, 'photos', object>

async function behindByColumn(
  photos: PassingPhotos,
  { by, direction }: ByColumn,
  { after, limit }: Rest,
): Promise<Position[]> {
  const column = `photos.${columns[by]}` as const
  const places = photos.select(['photos.id', `${column} as value`])
  const rest = after ? places.where(isBehind([column, 'photos.id'], direction, after)) : places
  const rows = await rest.orderBy(column, direction).orderBy('photos.id', direction).limit(limit).execute()
  return rows.map(({ id, value }) => ({ id, key: [value as number | string] }))
}

/** Photos without a capture time come last, ordered by id. */
async function behindByCapture(
  db: Database,
  { eventId, filter }: Omit<PlacedPhotos, 'order'>,
  direction: PhotoOrder['direction'],
  { after, limit }: Rest,
): Promise<Position[]> {
  const passing = photosPassing(db, eventId, filter)
  const isAmongUntimed = after?.key.length === 0
  const first = isAmongUntimed
    ? []
    : await behindByColumn(
        passing.where('photos.captured_at', 'is not', null),
        { by: 'capture_date', direction },
        { after, limit },
      )
  if (first.length === limit) return first
  const others = await behindById(passing.where('photos.captured_at', 'is', null), direction, {
    after: isAmongUntimed ? after : null,
    limit: limit - first.length,
  })
  return [...first, ...others]
}

async function behindById(
  photos: PassingPhotos,
  direction: PhotoOrder['direction'],
  { after, limit }: Rest,
): Promise<Position[]> {
  const rest = after ? photos.where(isBehind(['photos.id'], direction, after)) : photos
  const rows = await rest.select('photos.id').orderBy('photos.id', direction).limit(limit).execute()
  return rows.map(({ id }) => ({ id, key: [] }))
}

/** Photos without a rating come last, with rating 0, ordered by upload time. */
async function behindByRating(
  db: Database,
  photos: Omit<PlacedPhotos, 'order'>,
  direction: PhotoOrder['direction'],
  { after, limit }: Rest,
): Promise<Position[]> {
  const isAmongUnrated = after?.key[0] === 0
  const first = isAmongUnrated ? [] : await ratedBehind(db, photos, direction, { after, limit })
  if (first.length === limit) return first
  const others = await behindByColumn(
    photosWithoutStars(db, photos),
    { by: 'upload_date', direction },
    {
      after: after && isAmongUnrated ? { id: after.id, key: after.key.slice(1) } : null,
      limit: limit - first.length,
    },
  )
  return [...first, ...others.map(({ id, key }) => ({ id, key: [0, ...key] }))]
}

const photosWithoutStars = (db: Database, { eventId, filter }: Omit<PlacedPhotos, 'order'>) =>
  photosPassing(db, eventId, filter).where(({ not, exists, selectFrom }) =>
    not(
      exists(
        selectFrom('photo_marks as stars')
          .select('stars.photo_id')
          .whereRef('stars.photo_id', '=', 'photos.id')
          .where('stars.average_hundredths', '>', 0),
      ),
    ),
  )

async function ratedBehind(
  db: Database,
  photos: Omit<PlacedPhotos, 'order'>,
  direction: PhotoOrder['direction'],
  { after, limit }: Rest,
): Promise<Position[]> {
  const rated = ratedPhotos(db, photos).select(['photo_id', 'average_hundredths', 'uploaded_at'])
  const rest = after
    ? rated.where(isBehind(['average_hundredths', 'uploaded_at', 'photo_id'], direction, after))
    : rated
  const rows = await rest
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

function isBehind(sortedBy: readonly string[], direction: PhotoOrder['direction'], { id, key }: Position) {
  const place = sql.join(sortedBy.map((column) => sql.ref(column)))
  return sql<boolean>`(${place}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${sql.join([...key, id])})`
}
