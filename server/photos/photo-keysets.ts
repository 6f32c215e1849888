import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database, Tables } from '../platform/database/tables.ts'
import type { GridOrder } from './grid-filters.ts'
import type { ListedPhoto } from './list-photos.ts'
import { photosPassing } from './photo-filters.ts'
import { sorted } from './photo-orders.ts'
import { type PlacedPhotos, ratedPhotos } from './photo-places.ts'

/** Where a photo stands in an order, whatever comes and goes around it: the values it is sorted by, and its id. */
export type Position = { id: number; key: Array<number | string> }

/** The places behind a position, or all; so many of them at most. */
type Rest = { after: Position | null; limit: number }

const columns = { upload_date: 'uploaded_at', filename: 'name_sort', size: 'size_bytes' } as const
type ByColumn = { by: keyof typeof columns; direction: GridOrder['direction'] }

export const positionOf = ({ by }: GridOrder, photo: ListedPhoto): Position => ({
  id: photo.id,
  key: by === 'rating' ? [photo.average_hundredths ?? 0, photo.uploaded_at] : [photo[columns[by]]],
})

/** Reads the index of the order from the position on, so that the last page costs what the first does. */
export function positionsBehind(
  db: Database,
  { order, ...photos }: PlacedPhotos & { order: GridOrder },
  rest: Rest,
): Promise<Position[]> {
  const { by, direction } = order
  if (by === 'rating') return behindByRating(db, photos, direction, rest)
  return behindByColumn(photosPassing(db, photos.eventId, photos.filter), { by, direction }, rest)
}

async function behindByColumn(
  photos: SelectQueryBuilder<Tables, 'photos', object>,
  order: ByColumn,
  { after, limit }: Rest,
): Promise<Position[]> {
  const column = `photos.${columns[order.by]}` as const
  const places = photos.select(['photos.id', `${column} as value`])
  const rest = after ? places.where(isBehind([column, 'photos.id'], order.direction, after)) : places
  const rows = await sorted(rest, order).limit(limit).execute()
  return rows.map(({ id, value }) => ({ id, key: [value] }))
}

/** Two lists one behind the other: those with stars by these, the others, with 0 of them, as they were uploaded. */
async function behindByRating(
  db: Database,
  photos: Omit<PlacedPhotos, 'order'>,
  direction: GridOrder['direction'],
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

/** Looked up photo by photo: from a place on, few are passed. */
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
  direction: GridOrder['direction'],
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

function isBehind(sortedBy: readonly string[], direction: GridOrder['direction'], { id, key }: Position) {
  const place = sql.join(sortedBy.map((column) => sql.ref(column)))
  return sql<boolean>`(${place}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${sql.join([...key, id])})`
}
