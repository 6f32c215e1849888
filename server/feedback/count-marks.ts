import { sql } from 'kysely'
import { type ColorLabel, colorLabels, type FeedbackKind } from '../../contract/marks.ts'
import type { Tx } from '../platform/database/tables.ts'
import type { FeedbackRow, MarkedPhoto } from './mark-rows.ts'
import { averageHundredths, type CountedMark, countGuestMarks, createLabelMask, type MarkCounts } from './mark-rules.ts'

export type StoredMark = CountedMark & Pick<FeedbackRow, 'id' | 'judged_at'>

/** Returns the counters of a photo, and locks them for the rest of the transaction. Creates missing counters. */
export async function lockCounters(tx: Tx, { id, event_id, uploaded_at }: MarkedPhoto): Promise<MarkCounts> {
  return tx
    .insertInto('photo_marks')
    .values({ photo_id: id, event_id, uploaded_at, ...zeroCounts, ...deriveColumns(zeroCounts) })
    .onConflict((conflict) => conflict.column('photo_id').doUpdateSet({ event_id }))
    .returning(countKeys)
    .executeTakeFirstOrThrow()
}

/** Call it after `lockCounters`, so that the feedback does not change before the counters are written. */
export const loadGuestMarks = (tx: Tx, photoId: number, guestId: string): Promise<StoredMark[]> =>
  tx
    .selectFrom('feedback')
    .select(['id', 'kind', 'rating', 'color_label', 'is_visible', 'judged_at'])
    .where('photo_id', '=', photoId)
    .where('guest_id', '=', guestId)
    .execute()

/** Counts the feedback of a kind in the rows of a query. */
export const countKind = (kind: FeedbackKind) =>
  sql<number>`coalesce(sum(case when kind = ${kind} then 1 else 0 end), 0)`

/** Recounts all visible feedback. Call it after `lockCounters`. */
export async function recountMarks(tx: Tx, photoId: number): Promise<void> {
  const countColor = (color: ColorLabel) =>
    sql<number>`coalesce(sum(case when color_label = ${color} then 1 else 0 end), 0)`
  const counts = await tx
    .selectFrom('feedback')
    .select([
      sql<number>`coalesce(sum(rating), 0)`.as('rating_sum'),
      countKind('rating').as('rating_count'),
      countKind('like').as('like_count'),
      countKind('favorite').as('favorite_count'),
      countKind('comment').as('comment_count'),
      sql<number>`count(distinct guest_id)`.as('feedback_count'),
      ...colorLabels.map((color) => countColor(color).as(color)),
    ])
    .where('photo_id', '=', photoId)
    .where('is_visible', '=', 1)
    .executeTakeFirstOrThrow()
  // PostgreSQL returns 64-bit counts as text.
  const numbers = Object.fromEntries(Object.entries(counts).map(([key, value]) => [key, Number(value)])) as MarkCounts
  await writeCounters(tx, photoId, numbers)
}

/** Call it after `lockCounters`. */
export async function writeCounters(tx: Tx, photoId: number, counts: MarkCounts): Promise<void> {
  await tx
    .updateTable('photo_marks')
    .set({ ...counts, ...deriveColumns(counts) })
    .where('photo_id', '=', photoId)
    .execute()
}

const deriveColumns = (counts: MarkCounts) => ({
  average_hundredths: averageHundredths(counts),
  label_mask: createLabelMask(colorLabels.filter((color) => counts[color] > 0)),
})

const zeroCounts = countGuestMarks([])

const countKeys = Object.keys(zeroCounts) as Array<keyof MarkCounts>
