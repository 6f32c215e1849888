import { type SelectQueryBuilder, sql } from 'kysely'
import { must } from '../../../contract/must.ts'
import { visibleToGuests } from '../../events/visible-photos.ts'
import { selectPhotosByMarks } from '../../feedback/marks/mark-filters.ts'
import { maxShortRead, shortRead } from '../../platform/database/short-read.ts'
import type { Database } from '../../platform/database/tables.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { type ListedPhoto, loadFirstPhotos, loadPhotosByIds } from '../listed-photos.ts'
import {
  type ColumnOrder,
  isColumnOrder,
  type ListRange,
  orderPhotos,
  type PhotoOrder,
  rangeAfter,
  selectRangeFromEnd,
  uploadOrder,
} from '../photo-orders.ts'
import { type ListTotals, loadListTotals } from './list-cache.ts'
import {
  getFoundCount,
  hasFewFound,
  hasFilter,
  type PhotoFilter,
  resolveSearch,
  selectFilteredPhotos,
} from './photo-filters.ts'

/** `totals`: those of the event, if they were read for the same request. */
export type PhotoListQuery = { eventId: number; filter: PhotoFilter; order: PhotoOrder; totals?: ListTotals }

export type PhotoCounts = {
  /** All photos of the event, or all visible photos if the filter has `onlyVisible`. */
  total: number
  /** Equals `total` without a filter. */
  filtered: number
}

export type PhotoPage = PhotoCounts & { photos: ListedPhoto[] }

type ListPhotosOptions = {
  page: number
  limit: number
  /** The account whose own marks are included; null for none. */
  userId?: number | null
  filter?: PhotoFilter
  order?: PhotoOrder
  /** Those of the event, if they were read for the same request. */
  totals?: ListTotals
}

/** Defaults to all photos in upload order. */
export async function listPhotos(
  { db }: PlatformContext,
  eventId: number,
  options: ListPhotosOptions,
): Promise<PhotoPage> {
  const { page, limit, userId = null, order = uploadOrder } = options
  const range = { offset: (page - 1) * limit, limit }
  const totals = options.totals ?? (await loadListTotals(db, eventId))
  const filter = await resolveSearch(db, eventId, options.filter ?? {}, totals)
  if (isColumnOrder(order)) {
    const { onlyVisible = false } = filter
    const { hidden, ...all } = countAll(totals, filter)
    const few = { eventId, onlyVisible, order, userId }
    // Hidden photos are read and left out.
    const isShort = range.offset + limit <= maxShortRead && hidden + range.offset + limit <= maxShortScan
    if (!hasFilter(filter) && isShort) {
      return { photos: await loadFirstPhotos(db, few, range), ...all, filtered: all.total }
    }
  }
  const { ids, ...counts } = await listPhotoIds(db, { eventId, filter, order, totals }, range)
  return { photos: await loadPhotosByIds(db, ids, userId), ...counts }
}

/** Reads only indexes, except for filters by `uploadedBy`, by `processing` and by the feedback of one guest. */
export async function listPhotoIds(
  db: Database,
  query: PhotoListQuery,
  range: ListRange,
): Promise<PhotoCounts & { ids: number[] }> {
  const { eventId, order } = query
  const totals = query.totals ?? (await loadListTotals(db, eventId))
  const filter = await resolveSearch(db, eventId, query.filter, totals)
  const photos = { eventId, filter, order }
  const { hidden, ...counts } = await countWithHidden(db, eventId, filter, totals)
  if (hasOnlyMarkFilter(filter) && order.by === uploadOrder.by && order.direction === uploadOrder.direction) {
    return { ids: await listMarkedIds(db, eventId, filter, range), ...counts }
  }
  const ids = isColumnOrder(order)
    ? await listIdsByColumn(db, { ...photos, order }, range, { total: counts.total, hidden })
    : await listIdsByRating(db, photos, range, counts.total)
  return { ids, ...counts }
}

/** Returns the sizes of a page of photos, with their ids. */
export async function listPhotoSizes(
  db: Database,
  { eventId, filter, order }: PhotoListQuery & { order: ColumnOrder },
  { offset, limit }: ListRange,
): Promise<PhotoCounts & { photos: Array<{ id: number; width: number | null; height: number | null }> }> {
  const sizes = selectFilteredPhotos(db, eventId, filter).select(['photos.id', 'photos.width', 'photos.height'])
  const photos = await orderPhotos(sizes, order).limit(limit).offset(offset).execute()
  return { photos, ...(await countPhotos(db, eventId, filter)) }
}

export async function countPhotos(db: Database, eventId: number, filter: PhotoFilter): Promise<PhotoCounts> {
  const { total, filtered } = await countWithHidden(db, eventId, filter, await loadListTotals(db, eventId))
  return { total, filtered }
}

/** `hidden`: the photos of the event that are not in `total`. */
async function countWithHidden(
  db: Database,
  eventId: number,
  filter: PhotoFilter,
  totals: ListTotals,
): Promise<PhotoCounts & { hidden: number }> {
  const all = countAll(totals, filter)
  if (!hasFilter(filter)) return { ...all, filtered: all.total }
  if (hasOnlyMarkFilter(filter)) {
    const marked = selectMarkedPhotos(db, eventId, filter)
    return { ...all, filtered: await countRows(db.selectFrom(marked.as('matching'))) }
  }
  return { ...all, filtered: getFoundCount(filter) ?? (await countRows(selectFilteredPhotos(db, eventId, filter))) }
}

/** `hidden`: the photos of the event that are not in `total`. */
function countAll(
  { photoCount, visibleCount }: ListTotals,
  { onlyVisible }: PhotoFilter,
): { total: number; hidden: number } {
  return onlyVisible ? { total: visibleCount, hidden: photoCount - visibleCount } : { total: photoCount, hidden: 0 }
}

export const countVideos = (
  db: Database,
  eventId: number,
  { onlyVisible }: { onlyVisible: boolean },
): Promise<number> =>
  countRows(
    db
      .selectFrom('photos')
      .where('event_id', '=', eventId)
      // The literal allows the partial index to be used.
      .where(sql<boolean>`media_type = 'video'`)
      .$if(onlyVisible, (videos) => videos.where(visibleToGuests())),
  )

async function countRows<DB, TB extends keyof DB>(rows: SelectQueryBuilder<DB, TB, object>): Promise<number> {
  const counted = rows.select(sql<number>`count(*)`.as('count')).$castTo<{ count: number }>()
  const { count } = await counted.executeTakeFirstOrThrow()
  return Number(count)
}

/** Index entries. */
const maxShortScan = 1_000

/**
 * Without a filter, reads a page of the second half from the end of the list. The same statement reads the total, so
 * that new photos do not shift the page.
 */
async function listIdsByColumn(
  db: Database,
  { eventId, filter, order }: PhotoListQuery & { order: ColumnOrder },
  range: ListRange,
  { total, hidden }: { total: number; hidden: number },
): Promise<number[]> {
  const passing = selectFilteredPhotos(db, eventId, filter).select('photos.id')
  const fromStart = orderPhotos(passing, order).limit(range.limit).offset(range.offset)
  if (hasFilter(filter)) return loadIds(hasFewFound(filter) ? fromStart.modifyEnd(shortRead) : fromStart)
  const maxRead = Math.min(range.offset, total - range.offset) + range.limit + hidden
  const isShort = maxRead <= maxShortScan
  if (range.offset <= total / 2) {
    return loadIds(isShort ? fromStart.modifyEnd(shortRead) : fromStart)
  }
  const column = sql.ref(filter.onlyVisible ? 'visible_count' : 'photo_count')
  const count = sql<number>`coalesce((select ${column} from event_photo_totals where event_id = ${eventId}), 0)`
  const fromEnd = selectRangeFromEnd(orderPhotos(passing, order, true), count, range)
  return (await loadIds(isShort ? fromEnd.modifyEnd(shortRead) : fromEnd)).reverse()
}

async function listIdsByRating(
  db: Database,
  photos: PhotoListQuery,
  range: ListRange,
  total: number,
): Promise<number[]> {
  const { direction } = photos.order
  const rated = selectRatedPhotos(db, photos)
  const count = await countRows(rated)
  const first = await loadIds(
    rated
      .select('photo_id as id')
      .orderBy('average_hundredths', direction)
      .orderBy('uploaded_at', direction)
      .orderBy('photo_id', direction)
      .limit(range.limit)
      .offset(range.offset),
  )
  const rest = rangeAfter(count, range)
  if (rest.limit === 0) return first

  const unrated = selectUnratedPhotos(db, photos).select('photos.id')
  const order = { by: 'upload_date', direction } as const
  const left = total - count - rest.offset
  if (hasFilter(photos.filter) || left >= rest.offset) {
    return [...first, ...(await loadIds(orderPhotos(unrated, order).limit(rest.limit).offset(rest.offset)))]
  }
  const fromEnd = orderPhotos(unrated, order, true)
  const limit = Math.min(Math.max(left, 0), rest.limit)
  const last = await loadIds(fromEnd.limit(limit).offset(Math.max(left - limit, 0)))
  return [...first, ...last.reverse()]
}

/**
 * If `onlyVisible` is the only condition, the query excludes the hidden photos instead of listing the visible ones,
 * because hidden photos are usually fewer.
 */
export function selectRatedPhotos(db: Database, { eventId, filter }: Pick<PhotoListQuery, 'eventId' | 'filter'>) {
  const rated = db
    .selectFrom('photo_marks')
    .where('photo_marks.event_id', '=', eventId)
    .where('average_hundredths', '>', 0)
  if (hasFilter(filter)) {
    return rated.where(
      sql<boolean>`(photo_id + 0) in (${selectFilteredPhotos(db, eventId, filter).select('photos.id')})`,
    )
  }
  if (!filter.onlyVisible) return rated
  const hidden = selectFilteredPhotos(db, eventId, {}).select('photos.id').where(sql<boolean>`not ${visibleToGuests()}`)
  return rated.where(sql<boolean>`(photo_id + 0) not in (${hidden})`)
}

const selectUnratedPhotos = (db: Database, { eventId, filter }: Pick<PhotoListQuery, 'eventId' | 'filter'>) =>
  selectFilteredPhotos(db, eventId, filter).where(
    sql<boolean>`(photos.id + 0) not in (${selectRatedPhotos(db, { eventId, filter: {} }).select('photo_id')})`,
  )

const hasOnlyMarkFilter = ({ marked, ...others }: PhotoFilter): boolean =>
  marked !== undefined && hasFilter({ marked }) && !hasFilter(others) && !others.onlyVisible

const selectMarkedPhotos = (db: Database, eventId: number, { marked }: PhotoFilter) =>
  must(marked && selectPhotosByMarks(db, eventId, marked.userId, marked.filter), 'a filter by marks')

/** Returns ids in upload order, which is the order of the mark indexes. */
async function listMarkedIds(
  db: Database,
  eventId: number,
  filter: PhotoFilter,
  { limit, offset }: ListRange,
): Promise<number[]> {
  const sorted = selectMarkedPhotos(db, eventId, filter).orderBy('uploaded_at').orderBy('photo_id')
  return (await sorted.limit(limit).offset(offset).execute()).map(({ photo_id }) => photo_id)
}

const loadIds = async (photos: { execute: () => Promise<Array<{ id: number }>> }): Promise<number[]> =>
  (await photos.execute()).map(({ id }) => id)
