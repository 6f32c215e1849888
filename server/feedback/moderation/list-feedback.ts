import { sql } from 'kysely'
import type { FeedbackRecord, FeedbackStatus, ListFeedbackQuery } from '../../../contract/feedback.ts'
import { toPagination } from '../../platform/database/pagination.ts'
import type { Database } from '../../platform/database/tables.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { isoTime } from '../../platform/time/clock.ts'
import type { FeedbackRow } from '../marks/feedback-rows.ts'
import { getFeedbackStatus } from '../marks/mark-rules.ts'

export type ListedFeedback = FeedbackRow & {
  filename: string
  original_filename: string
  guest_name: string | null
  guest_email: string | null
}

/** Includes feedback for hidden photos. */
export async function listFeedback({ db }: PlatformContext, eventId: number, query: ListFeedbackQuery) {
  const { page, limit, feedback_type, status, photo_id, guest } = query
  const matching = db
    .selectFrom('feedback')
    .where('feedback.event_id', '=', eventId)
    .$if(feedback_type !== undefined, (rows) => rows.where('feedback.kind', '=', feedback_type ?? 'comment'))
    .$if(photo_id !== undefined, (rows) => rows.where('feedback.photo_id', '=', photo_id ?? 0))
    .$if(guest !== undefined, (rows) => rows.where('feedback.guest_id', '=', guest ?? ''))
    .$if(status === 'approved', (rows) => rows.where('feedback.is_visible', '=', 1))
    // A literal instead of a parameter, because the partial index of hidden feedback requires it.
    .$if(isNotVisible(status), (rows) =>
      rows
        .where('feedback.is_visible', '=', sql.lit(0 as const))
        .where('feedback.judged_at', status === 'hidden' ? 'is not' : 'is', null),
    )
  const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const ids = matching
    .select('feedback.id')
    .orderBy('feedback.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
  const rows = await selectListedFeedback(db).where('feedback.id', 'in', ids).orderBy('feedback.id', 'desc').execute()
  return { rows, pagination: toPagination(query, total) }
}

/** Throws NOT_FOUND. */
export async function getListedFeedback({ db }: PlatformContext, feedbackId: number): Promise<ListedFeedback> {
  const row = await selectListedFeedback(db).where('feedback.id', '=', feedbackId).executeTakeFirst()
  if (!row) throw new AppError('NOT_FOUND')
  return row
}

export const feedbackRecord = (row: ListedFeedback): FeedbackRecord => ({
  id: row.id,
  event_id: row.event_id,
  photo_id: row.photo_id,
  filename: row.filename,
  original_filename: row.original_filename,
  feedback_type: row.kind,
  rating: row.rating,
  color_label: row.color_label,
  comment_text: row.comment_text,
  status: getFeedbackStatus(row),
  guest_id: row.guest_id,
  guest_name: row.guest_name,
  guest_email: row.guest_email,
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
})

const isNotVisible = (status: FeedbackStatus | undefined): boolean => status === 'pending' || status === 'hidden'

const selectListedFeedback = (db: Database) =>
  db
    .selectFrom('feedback')
    .innerJoin('photos', 'photos.id', 'feedback.photo_id')
    .leftJoin('guests', 'guests.id', 'feedback.guest_id')
    .selectAll('feedback')
    .select(['photos.filename', 'photos.original_filename'])
    .select(['guests.name as guest_name', 'guests.email as guest_email'])
