import type { FeedbackKind } from '../../../contract/marks.ts'
import type { Database } from '../../platform/database/tables.ts'

/** Includes hidden feedback. */
export type FeedbackCounts = Record<FeedbackKind, number>

export const noCounts: FeedbackCounts = { rating: 0, color_label: 0, like: 0, favorite: 0, comment: 0 }

export const addCounts = (one: FeedbackCounts, other: FeedbackCounts): FeedbackCounts => ({
  rating: one.rating + other.rating,
  color_label: one.color_label + other.color_label,
  like: one.like + other.like,
  favorite: one.favorite + other.favorite,
  comment: one.comment + other.comment,
})

/** Returns the counts by guest id; guests without feedback are absent. */
export async function countFeedback(
  db: Database,
  eventId: number,
  guestIds: readonly string[],
): Promise<Map<string, FeedbackCounts>> {
  const counted = new Map<string, FeedbackCounts>()
  if (guestIds.length === 0) return counted
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

export const feedbackCountsRecord = (counts: FeedbackCounts) => ({
  rating_count: counts.rating,
  color_label_count: counts.color_label,
  like_count: counts.like,
  favorite_count: counts.favorite,
  comment_count: counts.comment,
})
