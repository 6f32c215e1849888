import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { PhotoType } from '../../../contract/photos.ts'
import { visibleToGuests } from '../../events/visible-photos.ts'
import { type FeedbackFilter, selectPhotosByFeedback } from '../../feedback/marks/feedback-filters.ts'
import { hasMarkFilters, type MarkFilter, selectPhotosByMarks } from '../../feedback/marks/mark-filters.ts'
import { isOneOf, maxShortRead } from '../../platform/database/short-read.ts'
import type { Database, Tables } from '../../platform/database/tables.ts'
import type { PhotoRow } from '../photo-rows.ts'
import { type FoundNames, findNames } from './find-names.ts'
import { type ListTotals, loadListTotals } from './list-cache.ts'

export type PhotoFilter = {
  onlyVisible?: boolean
  /** `uncategorized`: no category and no type. Null: no category. */
  category?: number | PhotoType | 'uncategorized' | null | undefined
  type?: PhotoType | undefined
  mediaType?: 'image' | 'video' | undefined
  visibility?: PhotoRow['visibility']
  uploadedBy?: PhotoRow['uploaded_by']
  processing?: PhotoRow['processing_status']
  awaitsReview?: boolean
  /** Milliseconds since 1970. */
  updatedSince?: number
  /** Part of a file name, normalized by `normalizeSearch`. `resolveSearch` replaces it by what was found. */
  search?: string | FoundNames
  ids?: readonly number[]
  given?: FeedbackFilter
  marked?: { filter: MarkFilter; userId: number }
}

type PhotosQuery = SelectQueryBuilder<Tables, 'photos', object>
type Clause = Expression<SqlBool>

export const selectFilteredPhotos = (db: Database, eventId: number, filter: PhotoFilter): PhotosQuery =>
  db
    .selectFrom('photos')
    .where(hasFoundIds(filter) ? withoutEventIndex(eventId) : sql<boolean>`photos.event_id = ${eventId}`)
    .where((photo) => photo.and(buildClauses(db, photo, eventId, filter)))

const hasFoundIds = ({ search }: PhotoFilter): boolean => typeof search === 'object' && search.ids !== null

/** Whether the filter only searches, and has found so few photos that a query for them is a short read. */
export const hasFewFound = ({ search, ...others }: PhotoFilter): boolean =>
  typeof search === 'object' && search.ids !== null && search.ids.length <= maxShortRead && !hasFilter(others)

/** `+ 0` makes the database read the few found photos by their ids, not all photos in the order of the list. */
const withoutEventIndex = (eventId: number): Clause => sql<boolean>`(photos.event_id + 0) = ${eventId}`

/** Returns whether the filter has a condition besides `onlyVisible`, which is access control. */
export const hasFilter = ({ onlyVisible: _, marked, ...asked }: PhotoFilter): boolean =>
  Object.values(asked).some((one) => one !== undefined) || (marked !== undefined && hasMarkFilters(marked.filter))

function buildClauses(
  db: Database,
  photo: ExpressionBuilder<Tables, 'photos'>,
  eventId: number,
  { onlyVisible, category, type, mediaType, visibility, uploadedBy, search, given, marked, ...filter }: PhotoFilter,
): Clause[] {
  const clauses: Clause[] = []
  if (onlyVisible) clauses.push(visibleToGuests())
  if (category !== undefined) clauses.push(...categoryClauses(photo, category))
  if (type) clauses.push(photo('photos.type', '=', type))
  if (mediaType) clauses.push(mediaTypeClause(db, eventId, mediaType))
  if (visibility) clauses.push(photo('photos.visibility', '=', visibility))
  if (uploadedBy) clauses.push(photo('photos.uploaded_by', '=', uploadedBy))
  if (filter.processing) clauses.push(photo('photos.processing_status', '=', filter.processing))
  // A literal instead of a parameter, so that the partial index is used.
  if (filter.awaitsReview) clauses.push(sql<boolean>`photos.awaits_review = 1`)
  if (filter.updatedSince !== undefined) clauses.push(photo('photos.updated_at', '>=', filter.updatedSince))
  if (search) clauses.push(searchClause(db, search))
  if (filter.ids) clauses.push(isOneOf(db, 'photos.id', filter.ids))
  for (const ids of given ? selectPhotosByFeedback(db, eventId, given) : []) {
    clauses.push(given?.guestId === null ? idInLargeSet(ids) : photo('photos.id', 'in', ids))
  }
  const markedPhotos = marked && selectPhotosByMarks(db, eventId, marked.userId, marked.filter)
  if (markedPhotos) clauses.push(idInLargeSet(db.selectFrom(markedPhotos.as('marked')).select('marked.photo_id')))
  return clauses
}

function categoryClauses(
  photo: ExpressionBuilder<Tables, 'photos'>,
  category: Exclude<PhotoFilter['category'], undefined>,
): Clause[] {
  if (category === null) return [photo('photos.category_id', 'is', null)]
  if (typeof category === 'number') return [photo('photos.category_id', '=', category)]
  return [
    photo('photos.category_id', 'is', null),
    category === 'uncategorized' ? photo('photos.type', 'is', null) : photo('photos.type', '=', category),
  ]
}

function mediaTypeClause(db: Database, eventId: number, mediaType: NonNullable<PhotoFilter['mediaType']>): Clause {
  const videos = db
    .selectFrom('photos as videos')
    .select('videos.id')
    .where('videos.event_id', '=', eventId)
    // A literal instead of a parameter, because the partial index only applies to this exact condition.
    .where(sql<boolean>`videos.media_type = 'video'`)
  return mediaType === 'video' ? idInLargeSet(videos) : sql<boolean>`not ${idInLargeSet(videos)}`
}

function searchClause(db: Database, search: string | FoundNames): Clause {
  if (typeof search !== 'string' && search.ids) return isOneOf(db, 'photos.id', search.ids)
  const { text } = typeof search === 'string' ? { text: search } : search
  return sql<boolean>`photos.search_text like ${`%${text.replace(/[!%_]/g, '!$&')}%`} escape '!'`
}

/**
 * Returns the filter with the photos that its search finds, so that queries need not read all names. `known`: the
 * totals, if they were read for the same request.
 */
export async function resolveSearch(
  db: Database,
  eventId: number,
  filter: PhotoFilter,
  known?: ListTotals,
): Promise<PhotoFilter> {
  const { search, onlyVisible = false } = filter
  if (typeof search !== 'string') return filter
  const totals = known ?? (await loadListTotals(db, eventId))
  return { ...filter, search: await findNames(db, eventId, { text: search, onlyVisible }, totals) }
}

/** Returns how many photos pass the filter if it only searches and `resolveSearch` has searched; otherwise null. */
export function getFoundCount({ search, ...filter }: PhotoFilter): number | null {
  return typeof search === 'object' && !hasFilter(filter) ? search.count : null
}

/**
 * `+ 0` prevents the database from reading the ids first. It then reads the index of the list order and needs no sort.
 */
const idInLargeSet = (ids: Expression<unknown>): Clause => sql<boolean>`(photos.id + 0) in (${ids})`
