import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { PhotoType } from '../../contract/photos.ts'
import { visibleToGuests } from '../access/visible-to-guests.ts'
import { type FeedbackFilter, selectPhotosByFeedback } from '../feedback/feedback-filters.ts'
import { hasMarkFilters, type MarkFilter, selectPhotosByMarks } from '../feedback/mark-filters.ts'
import type { PhotoRow } from '../photos/photo-rows.ts'
import type { Database, Tables } from '../platform/database/tables.ts'

export type PhotoFilter = {
  onlyVisible?: boolean
  /** `uncategorized`: no category and no type. */
  category?: number | PhotoType | 'uncategorized' | undefined
  type?: PhotoType | undefined
  mediaType?: 'image' | 'video' | undefined
  visibility?: PhotoRow['visibility']
  uploadedBy?: PhotoRow['uploaded_by']
  processing?: PhotoRow['processing_status']
  /** Part of a file name, normalized by `normalizeSearch`. */
  search?: string
  given?: FeedbackFilter
  marked?: { filter: MarkFilter; userId: number }
}

type PhotosQuery = SelectQueryBuilder<Tables, 'photos', object>
type Clause = Expression<SqlBool>

export const selectFilteredPhotos = (db: Database, eventId: number, filter: PhotoFilter): PhotosQuery =>
  db
    .selectFrom('photos')
    .where('photos.event_id', '=', eventId)
    .where((photo) => photo.and(buildClauses(db, photo, eventId, filter)))

/** Returns whether the filter has a condition besides `onlyVisible`, which is access control. */
export const hasFilter = ({ onlyVisible: _, marked, ...asked }: PhotoFilter): boolean =>
  Object.values(asked).some((one) => one !== undefined) || (marked !== undefined && hasMarkFilters(marked.filter))

function buildClauses(
  db: Database,
  photo: ExpressionBuilder<Tables, 'photos'>,
  eventId: number,
  { onlyVisible, category, type, mediaType, visibility, uploadedBy, processing, search, given, marked }: PhotoFilter,
): Clause[] {
  const clauses: Clause[] = []
  if (onlyVisible) clauses.push(visibleToGuests())
  if (category !== undefined) clauses.push(...categoryClauses(photo, category))
  if (type) clauses.push(photo('photos.type', '=', type))
  if (mediaType) clauses.push(mediaTypeClause(db, eventId, mediaType))
  if (visibility) clauses.push(photo('photos.visibility', '=', visibility))
  if (uploadedBy) clauses.push(photo('photos.uploaded_by', '=', uploadedBy))
  if (processing) clauses.push(photo('photos.processing_status', '=', processing))
  if (search) clauses.push(idInLargeSet(selectPhotosByName(db, eventId, search)))
  for (const ids of given ? selectPhotosByFeedback(db, eventId, given) : []) {
    clauses.push(given?.guestId === null ? idInLargeSet(ids) : photo('photos.id', 'in', ids))
  }
  const markedPhotos = marked && selectPhotosByMarks(db, eventId, marked.userId, marked.filter)
  if (markedPhotos) clauses.push(idInLargeSet(db.selectFrom(markedPhotos.as('marked')).select('marked.photo_id')))
  return clauses
}

function categoryClauses(
  photo: ExpressionBuilder<Tables, 'photos'>,
  category: NonNullable<PhotoFilter['category']>,
): Clause[] {
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

const selectPhotosByName = (db: Database, eventId: number, text: string) =>
  db
    .selectFrom('photos as named')
    .select('named.id')
    .where('named.event_id', '=', eventId)
    .where(sql<boolean>`named.search_text like ${`%${text.replace(/[!%_]/g, '!$&')}%`} escape '!'`)

/**
 * `+ 0` prevents the database from reading the ids first. It then reads the index of the list order and needs no sort.
 */
const idInLargeSet = (ids: Expression<unknown>): Clause => sql<boolean>`(photos.id + 0) in (${ids})`
