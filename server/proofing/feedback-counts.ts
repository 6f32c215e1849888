import type { FeedbackKind } from '../../contract/marks.ts'
import type { Database, Tx } from '../platform/database/tables.ts'

/** How much a guest has given in an event, of each kind, hidden comments included. */
export type FeedbackCounts = Record<FeedbackKind, number>

export const noCounts: FeedbackCounts = { rating: 0, color_label: 0, like: 0, favorite: 0, comment: 0 }

/** By guest; whoever has given nothing is left out. */
export async function countFeedback(
  db: Database | Tx,
  eventId: number,
  guestIds: readonly string[],
): Promise<Map<string, FeedbackCounts>> {
  const counted = new Map<string, FeedbackCounts>()
  const given = await db
    .selectFrom('feedback')
    .select(({ fn }) => ['guest_id', 'kind', fn.countAll<number>().as('count')])
    .where('event_id', '=', eventId)
    .where('guest_id', 'in', guestIds)
    .groupBy(['guest_id', 'kind'])
    .execute()
  for (const { guest_id, kind, count } of given) {
    counted.set(guest_id, { ...(counted.get(guest_id) ?? noCounts), [kind]: Number(count) })
  }
  return counted
}

/** As operators and receivers read it. */
export const countsRecord = (counts: FeedbackCounts) => ({
  rating_count: counts.rating,
  color_label_count: counts.color_label,
  like_count: counts.like,
  favorite_count: counts.favorite,
  comment_count: counts.comment,
})
