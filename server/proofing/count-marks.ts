import { sql } from 'kysely'
import { type ColorLabel, colorLabels } from '../../contract/marks.ts'
import type { Tx } from '../platform/database/tables.ts'
import type { FeedbackRow, MarkedPhoto } from './mark-rows.ts'
import { averageHundredths, type CountedMark, type MarkCounts, maskOf, movedCounts } from './mark-rules.ts'

export type KeptMark = CountedMark & Pick<FeedbackRow, 'id' | 'judged_at'>

/** Locks the counters for the rest of the transaction, because simultaneous marks must be serialized. Returns them. */
export async function holdCounters(tx: Tx, { id, event_id, uploaded_at }: MarkedPhoto): Promise<MarkCounts> {
  return tx
    .insertInto('photo_marks')
    .values({ photo_id: id, event_id, uploaded_at, ...noMarks, ...derivedFrom(noMarks) })
    .onConflict((conflict) => conflict.column('photo_id').doUpdateSet({ event_id }))
    .returning(countKeys)
    .executeTakeFirstOrThrow()
}

/** The caller must hold the counters. */
export const marksOf = (tx: Tx, photoId: number, guestId: string): Promise<KeptMark[]> =>
  tx
    .selectFrom('feedback')
    .select(['id', 'kind', 'rating', 'color_label', 'is_visible', 'judged_at'])
    .where('photo_id', '=', photoId)
    .where('guest_id', '=', guestId)
    .execute()

/**
 * The caller must hold the counters; `held` is their current value. The cost does not depend on the number of guests.
 */
export const moveCounters = (
  tx: Tx,
  photoId: number,
  held: MarkCounts,
  { before, after }: { before: readonly CountedMark[]; after: readonly CountedMark[] },
): Promise<void> => writeCounters(tx, photoId, movedCounts(held, before, after))

/** Recounts all visible feedback. The caller must hold the counters. */
export async function countMarks(tx: Tx, photoId: number): Promise<void> {
  const ofKind = (kind: string) => sql<number>`coalesce(sum(case when kind = ${kind} then 1 else 0 end), 0)`
  const ofColor = (color: ColorLabel) =>
    sql<number>`coalesce(sum(case when color_label = ${color} then 1 else 0 end), 0)`
  const counts = await tx
    .selectFrom('feedback')
    .select([
      sql<number>`coalesce(sum(rating), 0)`.as('rating_sum'),
      ofKind('rating').as('rating_count'),
      ofKind('like').as('like_count'),
      ofKind('favorite').as('favorite_count'),
      ofKind('comment').as('comment_count'),
      sql<number>`count(distinct guest_id)`.as('feedback_count'),
      ...colorLabels.map((color) => ofColor(color).as(color)),
    ])
    .where('photo_id', '=', photoId)
    .where('is_visible', '=', 1)
    .executeTakeFirstOrThrow()
  // PostgreSQL returns 64-bit counts as text.
  const numbers = Object.fromEntries(Object.entries(counts).map(([key, value]) => [key, Number(value)])) as MarkCounts
  await writeCounters(tx, photoId, numbers)
}

async function writeCounters(tx: Tx, photoId: number, counts: MarkCounts): Promise<void> {
  await tx
    .updateTable('photo_marks')
    .set({ ...counts, ...derivedFrom(counts) })
    .where('photo_id', '=', photoId)
    .execute()
}

const derivedFrom = (counts: MarkCounts) => ({
  average_hundredths: averageHundredths(counts),
  label_mask: maskOf(colorLabels.filter((color) => counts[color] > 0)),
})

const noMarks: MarkCounts = {
  rating_sum: 0,
  rating_count: 0,
  red: 0,
  yellow: 0,
  green: 0,
  blue: 0,
  purple: 0,
  like_count: 0,
  favorite_count: 0,
  comment_count: 0,
  feedback_count: 0,
}

const countKeys = Object.keys(noMarks) as Array<keyof MarkCounts>
