import { sql } from 'kysely'
import type { Database } from '../platform/database/tables.ts'
import type { FeedbackRow } from './marks/feedback-rows.ts'

export type ListedComment = Pick<FeedbackRow, 'id' | 'guest_id' | 'comment_text' | 'is_visible' | 'created_at'> & {
  guest_name: string | null
}

type CommentQuery = {
  photoId: number
  /** The guest whose hidden comments are listed too; null for none. */
  guestId: string | null
  onlyOwn: boolean
  page: number
  limit: number
}

/** Oldest first. */
export async function listComments(
  db: Database,
  { photoId, guestId, onlyOwn, page, limit }: CommentQuery,
): Promise<{ comments: ListedComment[]; total: number }> {
  const comments = db
    .selectFrom('feedback')
    .where('feedback.photo_id', '=', photoId)
    // A literal instead of a parameter, because the partial index of comments requires it.
    .where('feedback.kind', '=', sql.lit('comment' as const))
    .where((where) => {
      const own = where('feedback.guest_id', '=', guestId ?? '')
      return onlyOwn ? own : where.or([own, where('feedback.is_visible', '=', 1)])
    })
  const { total } = await comments.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await comments
    .leftJoin('guests', 'guests.id', 'feedback.guest_id')
    .select(['feedback.id', 'feedback.guest_id', 'feedback.comment_text', 'feedback.is_visible'])
    .select(['feedback.created_at', 'guests.name as guest_name'])
    .orderBy('feedback.id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { comments: rows, total: Number(total) }
}
