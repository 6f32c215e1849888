import { type NotNull, sql } from 'kysely'
import type { PickFilter } from '../../contract/exports.ts'
import { type MarkFilter, selectPhotosByMarks } from '../feedback/marks/mark-filters.ts'
import { type JoinedMarks, markColumns } from '../feedback/marks/mark-joins.ts'
import type { OwnMark } from '../feedback/marks/mark-rules.ts'
import { isUploadedAfter, type PhotoRow } from '../photos/photo-rows.ts'
import type { Database } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

export type ExportPhoto = JoinedMarks & {
  id: number
  source_filename: string
  uploaded_by: PhotoRow['uploaded_by']
  uploaded_at: number
  captured_at: number | null
  category_name: string | null
  /** Visible comments of guests, and those that await approval if requested, oldest first. */
  comments: Comment[]
}

export type Comment = { id: number; guestId: string; guestName: string | null; text: string; isPending: boolean }

type PhotosQuery = { eventId: number; userId: number; withPending: boolean }
type MarkedPhotosQuery = PhotosQuery & { filter: MarkFilter; picks: readonly PickFilter[] }

/** Several small queries, so that other queries can use the reader thread of SQLite in between. */
const rowsPerBatch = 5_000
const idsPerBatch = 500

/** Returns photos with feedback or own marks, as `filter.source` says, that pass all filters, in upload order. */
export async function listExportPhotos(
  { db }: PlatformContext,
  { eventId, userId, withPending, filter, picks }: MarkedPhotosQuery,
): Promise<ExportPhoto[]> {
  const matching = selectPhotosByMarks(db, eventId, userId, filter)
  const comments = await loadComments(db, eventId, withPending)
  const pending = queryPhotosWithPending(db, eventId)
  let page = queryPhotosWithMarks(db, userId)
    .where('photos.event_id', '=', eventId)
    .where((photo) => {
      const byCounter = photo('photo_marks.feedback_count', '>', 0)
      const byGuests = withPending ? photo.or([byCounter, photo('photos.id', 'in', pending)]) : byCounter
      const byAccount = photo('account_marks.photo_id', 'is not', null)
      const bySource = { client: [byGuests], mine: [byAccount], either: [byGuests, byAccount] }
      return photo.or(bySource[filter.source])
    })
    .orderBy('photos.uploaded_at')
    .orderBy('photos.id')
    .limit(rowsPerBatch)
  if (picks.length > 0) {
    page = page.where((photo) => {
      const byCounters = picks.map((pick) => photo(pickCounters[pick], '>', 0))
      const isPendingPicked = withPending && picks.includes('commented')
      return photo.or(isPendingPicked ? [...byCounters, photo('photos.id', 'in', pending)] : byCounters)
    })
  }
  if (matching) {
    page = page.where('photos.id', 'in', db.selectFrom(matching.as('matching')).select('matching.photo_id'))
  }
  const found: ExportPhoto[] = []
  for (;;) {
    const last = found.at(-1)
    const rows = await (last ? page.where(isUploadedAfter(last)) : page).execute()
    found.push(...rows.map((row) => ({ ...row, comments: comments.get(row.id) ?? [] })))
    if (rows.length < rowsPerBatch) return found
  }
}

/** Returns photos with or without marks, in upload order. Leaves out unknown ids and ids of other events. */
export async function loadExportPhotos(
  { db }: PlatformContext,
  { eventId, userId, withPending }: PhotosQuery,
  ids: readonly number[],
): Promise<ExportPhoto[]> {
  const comments = ids.length === 0 ? new Map<number, Comment[]>() : await loadComments(db, eventId, withPending)
  const found: ExportPhoto[] = []
  for (let start = 0; start < ids.length; start += idsPerBatch) {
    const rows = await queryPhotosWithMarks(db, userId)
      .where('photos.event_id', '=', eventId)
      .where('photos.id', 'in', ids.slice(start, start + idsPerBatch))
      .execute()
    found.push(...rows.map((row) => ({ ...row, comments: comments.get(row.id) ?? [] })))
  }
  return found.sort((a, b) => a.uploaded_at - b.uploaded_at || a.id - b.id)
}

const pickCounters = {
  liked: 'photo_marks.like_count',
  favorited: 'photo_marks.favorite_count',
  commented: 'photo_marks.comment_count',
} as const satisfies Record<PickFilter, unknown>

const queryPhotosWithMarks = (db: Database, userId: number) =>
  db
    .selectFrom('photos')
    .leftJoin('categories', 'categories.id', 'photos.category_id')
    .leftJoin('photo_marks', 'photo_marks.photo_id', 'photos.id')
    .leftJoin('account_marks', (join) =>
      join.onRef('account_marks.photo_id', '=', 'photos.id').on('account_marks.user_id', '=', userId),
    )
    .select(['photos.id', 'photos.source_filename', 'photos.uploaded_at', 'photos.captured_at', 'photos.uploaded_by'])
    .select('categories.name as category_name')
    .select(markColumns)

async function loadComments(db: Database, eventId: number, withPending: boolean): Promise<Map<number, Comment[]>> {
  const rows = await db
    .selectFrom('feedback')
    .leftJoin('guests', 'guests.id', 'feedback.guest_id')
    .select(['feedback.id', 'feedback.photo_id', 'feedback.guest_id as guestId', 'feedback.comment_text as text'])
    .select(['feedback.is_visible', 'guests.name as guestName'])
    .$narrowType<{ text: NotNull }>()
    .where('feedback.event_id', '=', eventId)
    .where('feedback.kind', '=', 'comment')
    .where((comment) => {
      const isVisible = comment('feedback.is_visible', '=', 1)
      return withPending ? comment.or([isVisible, comment('feedback.judged_at', 'is', null)]) : isVisible
    })
    .orderBy('feedback.id')
    .execute()
  const comments = rows.map(({ is_visible, ...row }) => ({ ...row, isPending: is_visible === 0 }))
  return Map.groupBy(comments, ({ photo_id }) => photo_id)
}

/** The ids of photos with comments that await approval. */
const queryPhotosWithPending = (db: Database, eventId: number) =>
  db
    .selectFrom('feedback')
    .select('feedback.photo_id')
    .where('feedback.event_id', '=', eventId)
    .where('feedback.kind', '=', 'comment')
    // A literal instead of a parameter, because the partial index of hidden feedback requires it.
    .where('feedback.is_visible', '=', sql.lit(0 as const))
    .where('feedback.judged_at', 'is', null)

/** Returns the ratings and color labels of one guest by photo id. Unknown guests have none. */
export async function loadGuestMarks(
  { db }: PlatformContext,
  eventId: number,
  guestId: string,
): Promise<Map<number, OwnMark>> {
  const rows = await db
    .selectFrom('feedback')
    .select(['photo_id', 'kind', 'rating', 'color_label'])
    .where('event_id', '=', eventId)
    .where('guest_id', '=', guestId)
    .where('is_visible', '=', 1)
    .where('kind', 'in', ['rating', 'color_label'])
    .execute()
  const marks = new Map<number, OwnMark>()
  for (const { photo_id, rating, color_label } of rows) {
    const mark = marks.get(photo_id)
    marks.set(photo_id, {
      rating: rating ?? mark?.rating ?? null,
      color_label: color_label ?? mark?.color_label ?? null,
    })
  }
  return marks
}
