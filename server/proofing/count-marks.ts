import { sql } from 'kysely'
import { type ColorLabel, colorLabels } from '../../contract/marks.ts'
import type { Tx } from '../platform/database/tables.ts'
import type { MarkedPhoto } from './mark-rows.ts'
import type { LabelCounts } from './mark-rules.ts'
import { averageHundredths, maskOf } from './mark-rules.ts'

/**
 * Takes hold of the counters of a photo for the rest of the transaction, so that simultaneous marks of one photo
 * follow one another on every database.
 */
export async function holdCounters(tx: Tx, { id, event_id, uploaded_at }: MarkedPhoto): Promise<void> {
  await tx
    .insertInto('photo_marks')
    .values({ photo_id: id, event_id, uploaded_at, ...noMarks })
    .onConflict((conflict) => conflict.column('photo_id').doUpdateSet({ event_id }))
    .execute()
}

/** Counts the visible feedback of a photo anew. The caller holds its counters. */
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
  // PostgreSQL counts in 64 bits, which arrive as text.
  const numbers = Object.fromEntries(Object.entries(counts).map(([key, value]) => [key, Number(value)])) as Counts
  await tx
    .updateTable('photo_marks')
    .set({
      ...numbers,
      average_hundredths: averageHundredths(numbers),
      label_mask: maskOf(colorLabels.filter((color) => numbers[color] > 0)),
    })
    .where('photo_id', '=', photoId)
    .execute()
}

type Counts = LabelCounts &
  Record<'rating_sum' | 'rating_count' | 'like_count' | 'favorite_count' | 'comment_count' | 'feedback_count', number>

const noMarks = {
  rating_sum: 0,
  rating_count: 0,
  average_hundredths: 0,
  label_mask: 0,
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
