import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database, Tables } from '../../platform/database/tables.ts'
import type { ListedPhoto } from '../listed-photos.ts'
import { orderColumns, type PhotoOrder } from '../photo-orders.ts'
import { type PhotoListQuery, selectRatedPhotos } from './list-photos.ts'
import { selectFilteredPhotos } from './photo-filters.ts'

/** Sort values and id of a photo. A list can continue after this position even if photos were added or deleted. */
export type Position = { id: number; key: Array<number | string> }

type KeysetRange = { after: Position | null; limit: number }
type Direction = PhotoOrder['direction']

/** The key of a photo without a capture time, or without a place in the order by hand, has only the second column. */
export function getPosition({ by }: PhotoOrder, photo: ListedPhoto): Position {
  if (by === 'rating') return { id: photo.id, key: [photo.average_hundredths ?? 0, photo.uploaded_at] }
  return { id: photo.id, key: orderColumns[by].map((column) => photo[column]).filter((value) => value !== null) }
}

/** Continues after the position instead of skipping rows with an offset, so later pages do not take longer. */
export function listPositionsAfter(
  db: Database,
  { order: { by, direction }, ...photos }: PhotoListQuery,
  range: KeysetRange,
): Promise<Position[]> {
  if (by === 'rating') return listAfterByRating(db, photos, direction, range)
  if (by === 'capture_date' || by === 'manual')
    return listAfterByNullable(db, photos, orderColumns[by], direction, range)
  const passing = selectFilteredPhotos(db, photos.eventId, photos.filter)
  return listAfter(
    passing,
    orderColumns[by].map((column) => `photos.${column}`),
    'photos.id',
    direction,
    range,
  )
}

/** Photos without a value in the first column come last, ordered by the second. */
function listAfterByNullable(
  db: Database,
  { eventId, filter }: Omit<PhotoListQuery, 'order'>,
  [nullable, second]: (typeof orderColumns)['capture_date' | 'manual'],
  direction: Direction,
  range: KeysetRange,
): Promise<Position[]> {
  const passing = selectFilteredPhotos(db, eventId, filter)
  const valued = passing.where(`photos.${nullable}`, 'is not', null)
  const unvalued = passing.where(`photos.${nullable}`, 'is', null)
  return listTwoParts(
    range,
    ({ key }) => key.length === 1,
    (first) => listAfter(valued, [`photos.${nullable}`, `photos.${second}`], 'photos.id', direction, first),
    (rest) => listAfter(unvalued, [`photos.${second}`], 'photos.id', direction, rest),
  )
}

/** Photos without a rating come last, ordered by upload time. Their key starts with 0. */
function listAfterByRating(
  db: Database,
  photos: Omit<PhotoListQuery, 'order'>,
  direction: Direction,
  range: KeysetRange,
): Promise<Position[]> {
  const rated = selectRatedPhotos(db, photos)
  const unrated = selectPhotosWithoutRating(db, photos)
  return listTwoParts(
    range,
    ({ key }) => key[0] === 0,
    (first) => listAfter(rated, ['average_hundredths', 'uploaded_at'], 'photo_id', direction, first),
    async ({ after, limit }) => {
      const uploadedAfter = after && { id: after.id, key: after.key.slice(1) }
      const second = { after: uploadedAfter, limit }
      const positions = await listAfter(unrated, ['photos.uploaded_at'], 'photos.id', direction, second)
      return positions.map(({ id, key }) => ({ id, key: [0, ...key] }))
    },
  )
}

type ListPart = (range: KeysetRange) => Promise<Position[]>

async function listTwoParts(
  { after, limit }: KeysetRange,
  isInSecond: (position: Position) => boolean,
  listFirst: ListPart,
  listSecond: ListPart,
): Promise<Position[]> {
  const inSecond = after && isInSecond(after) ? after : null
  const first = inSecond ? [] : await listFirst({ after, limit })
  if (first.length === limit) return first
  return [...first, ...(await listSecond({ after: inSecond, limit: limit - first.length }))]
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

async function listAfter<Table extends keyof Tables>(
  rows: SelectQueryBuilder<Tables, Table, object>,
  keyColumns: readonly string[],
  idColumn: string,
  direction: Direction,
  { after, limit }: KeysetRange,
): Promise<Position[]> {
  const id = sql.ref<number>(idColumn)
  const key = keyColumns.map((column) => sql.ref<number | string>(column))
  let page = rows.select([id.as('id'), ...key.map((column, index) => column.as(`key${index}`))]).limit(limit)
  for (const column of [...key, id]) page = page.orderBy(column, direction)
  const place = sql.join([...key, id])
  const comparison = sql.raw(direction === 'asc' ? '>' : '<')
  if (after) page = page.where(sql<boolean>`(${place}) ${comparison} (${sql.join([...after.key, after.id])})`)
  const found = await page.$castTo<{ id: number } & Record<string, number | string>>().execute()
  return found.map(({ id, ...values }) => ({ id, key: Object.values(values) }))
}
