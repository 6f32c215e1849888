import type { NotNull } from 'kysely'
import type { PickFilter } from '../../contract/exports.ts'
import { type MarkFilter, selectPhotosByMarks } from '../feedback/mark-filters.ts'
import { type JoinedMarks, markColumns } from '../feedback/mark-joins.ts'
import { isUploadedAfter } from '../photos/photo-rows.ts'
import type { Database } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

export type ExportPhoto = JoinedMarks & {
  id: number
  source_filename: string
  uploaded_at: number
  category_name: string | null
  /** Visible comments of guests, oldest first. */
  comments: Comment[]
}

export type Comment = { id: number; guestName: string | null; text: string }

type MarkedPhotosQuery = { eventId: number; userId: number; filter: MarkFilter; picks: readonly PickFilter[] }

/** Several small queries, so that other queries can use the reader thread of SQLite in between. */
const rowsPerBatch = 5_000
const idsPerBatch = 500

/** Returns photos with feedback or own marks, as `filter.source` says, that pass all filters, in upload order. */
export async function listExportPhotos(
  { db }: PlatformContext,
  { eventId, userId, filter, picks }: MarkedPhotosQuery,
): Promise<ExportPhoto[]> {
  const matching = selectPhotosByMarks(db, eventId, userId, filter)
  const comments = await loadComments(db, eventId)
  let page = queryPhotosWithMarks(db, userId)
    .where('photos.event_id', '=', eventId)
    .where((photo) => {
      const byGuests = photo('photo_marks.feedback_count', '>', 0)
      const byAccount = photo('account_marks.photo_id', 'is not', null)
      const bySource = { client: [byGuests], mine: [byAccount], either: [byGuests, byAccount] }
      return photo.or(bySource[filter.source])
    })
    .orderBy('photos.uploaded_at')
    .orderBy('photos.id')
    .limit(rowsPerBatch)
  if (picks.length > 0) {
    page = page.where((photo) => photo.or(picks.map((pick) => photo(pickCounters[pick], '>', 0))))
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
  { eventId, userId }: Pick<MarkedPhotosQuery, 'eventId' | 'userId'>,
  ids: readonly number[],
): Promise<ExportPhoto[]> {
  const comments = ids.length === 0 ? new Map<number, Comment[]>() : await loadComments(db, eventId)
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
    .select(['photos.id', 'photos.source_filename', 'photos.uploaded_at', 'categories.name as category_name'])
    .select(markColumns)

async function loadComments(db: Database, eventId: number): Promise<Map<number, Comment[]>> {
  const rows = await db
    .selectFrom('feedback')
    .leftJoin('guests', 'guests.id', 'feedback.guest_id')
    .select(['feedback.id', 'feedback.photo_id', 'feedback.comment_text as text', 'guests.name as guestName'])
    .$narrowType<{ text: NotNull }>()
    .where('feedback.event_id', '=', eventId)
    .where('feedback.kind', '=', 'comment')
    .where('feedback.is_visible', '=', 1)
    .orderBy('feedback.id')
    .execute()
  return Map.groupBy(rows, ({ photo_id }) => photo_id)
}
