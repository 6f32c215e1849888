import { sql } from 'kysely'
import type { Database } from '../platform/database/tables.ts'
import { isInScope, type Scope } from './dashboard-scope.ts'
import { toNumbers } from './event-figures.ts'

/** Sums counters per photo, so that the cost does not grow with the number of marks. */
export async function countFeedback(db: Database, scope: Scope) {
  const sumOf = (columns: string) => sql<number>`coalesce(sum(${sql.raw(columns)}), 0)`
  const counts = await db
    .selectFrom('photo_marks')
    .where(isInScope(scope, 'event_id'))
    .select([
      sumOf('case when feedback_count > 0 then 1 else 0 end').as('marked_photos'),
      sumOf('rating_count').as('ratings'),
      sumOf('red + yellow + green + blue + purple').as('color_labels'),
      sumOf('like_count').as('likes'),
      sumOf('favorite_count').as('favorites'),
      sumOf('comment_count').as('comments'),
    ])
    .executeTakeFirstOrThrow()
  const waiting = await db
    .selectFrom('feedback')
    .where(isInScope(scope, 'event_id'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    // Literal, so that the partial index is used.
    .where(sql<boolean>`is_visible = 0`)
    .where('judged_at', 'is', null)
    .executeTakeFirstOrThrow()
  return toNumbers({ ...counts, comments_waiting: waiting.count })
}
