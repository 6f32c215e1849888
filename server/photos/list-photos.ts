import { type SelectQueryBuilder, sql } from 'kysely'
import type { Backends } from '../platform/backends.ts'
import type { Database, Flag, Tables } from '../platform/database/tables.ts'
import { Refusal } from '../platform/refusal.ts'
import { type MarkFilter, photosMarked } from '../proofing/mark-filters.ts'
import { type JoinedMarks, markColumns } from '../proofing/mark-joins.ts'
import type { PhotoRow } from './photo-rows.ts'

/** A photo with all that a record of it tells: its category and its marks. */
export type ListedPhoto = PhotoRow &
  JoinedMarks & { category_name: string | null; category_allows_downloads: Flag | null }

export type PhotoPage = {
  photos: ListedPhoto[]
  /** Photos of the event (visible ones when only these were asked for). */
  total: number
  /** Photos that pass the filter; `total` without one. */
  filtered: number
}

type Wanted = {
  page: number
  limit: number
  /** Whose own marks are joined and filtered by; null for nobody's. */
  userId?: number | null
  onlyVisible?: boolean
  filter?: MarkFilter
}

/** One page in the order of every public list: `uploaded_at`, then `id`, ascending (decisions §3). */
export async function listPhotos({ db }: Backends, eventId: number, wanted: Wanted): Promise<PhotoPage> {
  const { page, limit, userId = null, onlyVisible = false, filter } = wanted
  const offset = (page - 1) * limit
  const totals = await db
    .selectFrom('event_photo_totals')
    .select(['photo_count', 'visible_count'])
    .where('event_id', '=', eventId)
    .executeTakeFirst()
  const total = (onlyVisible ? totals?.visible_count : totals?.photo_count) ?? 0

  const matching = filter && photosMarked(db, eventId, userId ?? 0, filter)
  if (!matching) {
    const ids = placesInOrder(db, eventId, { offset, limit, total, onlyVisible })
    return { photos: await photosOf(db, ids, userId), total, filtered: total }
  }
  const { filtered } = await db
    .selectFrom(matching.as('matching'))
    .select(({ fn }) => fn.countAll<number>().as('filtered'))
    .executeTakeFirstOrThrow()
  const ids = matching.orderBy('uploaded_at').orderBy('photo_id').limit(limit).offset(offset) as unknown as Places
  return { photos: await photosOf(db, ids, userId), total, filtered: Number(filtered) }
}

type Places = SelectQueryBuilder<Tables, 'photos', { uploaded_at: number; photo_id: number }>

/**
 * The places of one page of all photos. A page of the second half is counted from the end, so that the last one costs
 * what the first does; how many there are is read in the same statement, so that new photos do not shift it.
 */
function placesInOrder(
  db: Database,
  eventId: number,
  { offset, limit, total, onlyVisible }: { offset: number; limit: number; total: number; onlyVisible: boolean },
): Places {
  const places = db
    .selectFrom('photos')
    .select(['uploaded_at', 'id as photo_id'])
    .where('event_id', '=', eventId)
    .$if(onlyVisible, (photos) => photos.where('visibility', '=', 'visible'))
  if (offset <= total / 2) return places.orderBy('uploaded_at').orderBy('id').limit(limit).offset(offset)

  const count = sql.ref(onlyVisible ? 'visible_count' : 'photo_count')
  const behind = sql<number>`coalesce((select ${count} - ${offset} from event_photo_totals where event_id = ${eventId}), 0)`
  return places
    .orderBy('uploaded_at', 'desc')
    .orderBy('id', 'desc')
    .limit(
      sql<number>`case when ${behind} < ${limit} then case when ${behind} < 0 then 0 else ${behind} end else ${limit} end`,
    )
    .offset(sql<number>`case when ${behind} < ${limit} then 0 else ${behind} - ${limit} end`)
}

/** The photos themselves, category and marks joined, in the order of the lists. */
function photosOf(db: Database, places: Places, userId: number | null): Promise<ListedPhoto[]> {
  return listed(db, userId)
    .where('photos.id', 'in', db.selectFrom(places.as('page')).select('page.photo_id'))
    .orderBy('photos.uploaded_at')
    .orderBy('photos.id')
    .execute()
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

/** One photo as the lists show it. Throws NOT_FOUND, also for a photo of another event. */
export async function getListedPhoto(
  { db }: Backends,
  eventId: number,
  photoId: number,
  userId: number | null,
): Promise<ListedPhoto> {
  const photo = await listed(db, userId)
    .where('photos.id', '=', photoId)
    .where('photos.event_id', '=', eventId)
    .executeTakeFirst()
  if (!photo) throw new Refusal('NOT_FOUND')
  return photo
}
