import { sql } from 'kysely'
import type { Database } from '../platform/database/tables.ts'
import { photosMarked } from '../proofing/mark-filters.ts'
import { isFiltering, type PhotoFilter, photosPassing } from './photo-filters.ts'
import {
  behind,
  type ColumnOrder,
  isColumnOrder,
  type PhotoOrder,
  type Stretch,
  sorted,
  stretchFromEnd,
  uploadOrder,
} from './photo-orders.ts'

export type PlacedPhotos = { eventId: number; filter: PhotoFilter; order: PhotoOrder }

export type PhotoCounts = {
  /** Only visible photos with `onlyVisible`. */
  total: number
  /** Equals `total` without a filter. */
  filtered: number
}

export type Places = PhotoCounts & {
  ids: number[]
}

/** Reads only indexes. */
export async function placesOf(db: Database, photos: PlacedPhotos, stretch: Stretch): Promise<Places> {
  const { eventId, filter, order } = photos
  const counts = await countPhotos(db, eventId, filter)
  if (isMarkedAlone(filter) && order.by === uploadOrder.by && order.direction === uploadOrder.direction) {
    return { ids: await markedIds(db, eventId, filter.marked, stretch), ...counts }
  }
  const ids = isColumnOrder(order)
    ? await idsByColumn(db, { ...photos, order }, stretch, counts.total)
    : await idsByRating(db, photos, stretch, counts.total)
  return { ids, ...counts }
}

export async function countPhotos(db: Database, eventId: number, filter: PhotoFilter): Promise<PhotoCounts> {
  const total = await countAll(db, eventId, filter)
  if (isMarkedAlone(filter)) return { total, filtered: await countMarked(db, eventId, filter.marked) }
  return { total, filtered: isFiltering(filter) ? await countPassing(db, eventId, filter) : total }
}

async function countAll(db: Database, eventId: number, { onlyVisible }: PhotoFilter): Promise<number> {
  const totals = await db
    .selectFrom('event_photo_totals')
    .select(['photo_count', 'visible_count'])
    .where('event_id', '=', eventId)
    .executeTakeFirst()
  return (onlyVisible ? totals?.visible_count : totals?.photo_count) ?? 0
}

async function countPassing(db: Database, eventId: number, filter: PhotoFilter): Promise<number> {
  const { count } = await photosPassing(db, eventId, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Reads the second half from the end, so the last page is as fast as the first. One statement also reads the total, so
 * new photos do not shift the page.
 */
async function idsByColumn(
  db: Database,
  { eventId, filter, order }: PlacedPhotos & { order: ColumnOrder },
  stretch: Stretch,
  total: number,
): Promise<number[]> {
  const passing = photosPassing(db, eventId, filter).select('photos.id')
  if (isFiltering(filter) || stretch.offset <= total / 2) {
    return idsIn(sorted(passing, order).limit(stretch.limit).offset(stretch.offset))
  }
  const column = sql.ref(filter.onlyVisible ? 'visible_count' : 'photo_count')
  const count = sql<number>`coalesce((select ${column} from event_photo_totals where event_id = ${eventId}), 0)`
  return (await idsIn(stretchFromEnd(sorted(passing, order, true), count, stretch))).reverse()
}

async function idsByRating(db: Database, photos: PlacedPhotos, stretch: Stretch, total: number): Promise<number[]> {
  const { direction } = photos.order
  const rated = ratedPhotos(db, photos)
  const { count } = await rated.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const first = await idsIn(
    rated
      .select('photo_id as id')
      .orderBy('average_hundredths', direction)
      .orderBy('uploaded_at', direction)
      .orderBy('photo_id', direction)
      .limit(stretch.limit)
      .offset(stretch.offset),
  )
  const rest = behind(Number(count), stretch)
  if (rest.limit === 0) return first

  const unrated = unratedPhotos(db, photos).select('photos.id')
  const order = { by: 'upload_date', direction } as const
  const left = total - Number(count) - rest.offset
  if (isFiltering(photos.filter) || left >= rest.offset) {
    return [...first, ...(await idsIn(sorted(unrated, order).limit(rest.limit).offset(rest.offset)))]
  }
  const fromEnd = sorted(unrated, order, true)
  const limit = Math.min(Math.max(left, 0), rest.limit)
  const last = await idsIn(fromEnd.limit(limit).offset(Math.max(left - limit, 0)))
  return [...first, ...last.reverse()]
}

/** Hidden photos are few, so they are excluded instead of searching for visible ones. */
export function ratedPhotos(db: Database, { eventId, filter }: Pick<PlacedPhotos, 'eventId' | 'filter'>) {
  const rated = db
    .selectFrom('photo_marks')
    .where('photo_marks.event_id', '=', eventId)
    .where('average_hundredths', '>', 0)
  if (isFiltering(filter)) {
    return rated.where(sql<boolean>`(photo_id + 0) in (${photosPassing(db, eventId, filter).select('photos.id')})`)
  }
  if (!filter.onlyVisible) return rated
  const hidden = photosPassing(db, eventId, {}).select('photos.id').where('visibility', '<>', 'visible')
  return rated.where(sql<boolean>`(photo_id + 0) not in (${hidden})`)
}

export const unratedPhotos = (db: Database, { eventId, filter }: Pick<PlacedPhotos, 'eventId' | 'filter'>) =>
  photosPassing(db, eventId, filter).where(
    sql<boolean>`(photos.id + 0) not in (${ratedPhotos(db, { eventId, filter: {} }).select('photo_id')})`,
  )

const isMarkedAlone = ({ marked, ...others }: PhotoFilter): boolean =>
  marked !== undefined && isFiltering({ marked }) && !isFiltering(others) && !others.onlyVisible

async function countMarked(db: Database, eventId: number, marked: PhotoFilter['marked']): Promise<number> {
  const matching = marked && photosMarked(db, eventId, marked.userId, marked.filter)
  if (!matching) return 0
  const { count } = await db
    .selectFrom(matching.as('matching'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** For the public API: the indexes of the marks have this order. */
async function markedIds(
  db: Database,
  eventId: number,
  marked: PhotoFilter['marked'],
  { limit, offset }: Stretch,
): Promise<number[]> {
  const matching = marked && photosMarked(db, eventId, marked.userId, marked.filter)
  if (!matching) return []
  const page = matching.orderBy('uploaded_at').orderBy('photo_id').limit(limit).offset(offset)
  return (await page.execute()).map(({ photo_id }) => photo_id)
}

const idsIn = async (photos: { execute: () => Promise<Array<{ id: number }>> }): Promise<number[]> =>
  (await photos.execute()).map(({ id }) => id)
