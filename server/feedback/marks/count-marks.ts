import { type CompiledQuery, sql } from 'kysely'
import { type ColorLabel, colorLabels, type FeedbackKind } from '../../../contract/marks.ts'
import { must } from '../../../contract/must.ts'
import { compileOnce } from '../../platform/database/compile-once.ts'
import type { Tx } from '../../platform/database/tables.ts'
import type { FeedbackRow, MarkedPhoto } from './feedback-rows.ts'
import {
  averageHundredths,
  type CountedMark,
  countGuestMarks,
  createLabelMask,
  haveMarksChanged,
  type MarkCounts,
} from './mark-rules.ts'

export type StoredMark = CountedMark & Pick<FeedbackRow, 'id' | 'judged_at'>

/**
 * Returns the counters of a photo, and locks them for the rest of the transaction. Creates missing counters. Returns no
 * row if the photo is not in the event.
 */
export const lockCountersQuery = (
  tx: Tx,
  { id, event_id }: Pick<MarkedPhoto, 'id' | 'event_id'>,
): CompiledQuery<MarkCounts> =>
  compileOnce(tx, 'lock counters', { id, event_id }, (values) => {
    const zeros = Object.entries({ ...zeroCounts, ...deriveColumns(zeroCounts) })
    const keys = ['id', 'event_id', 'uploaded_at'] as const
    const photo = tx
      .selectFrom('photos')
      .select([...keys, ...zeros.map(([name, zero]) => sql.lit(zero).as(name))])
      .where('id', '=', values.id)
      .where('event_id', '=', values.event_id)
    return tx
      .insertInto('photo_marks')
      .columns(['photo_id', 'event_id', 'uploaded_at', ...zeros.map(([name]) => name as keyof MarkCounts)])
      .expression(photo)
      .onConflict((conflict) =>
        conflict.column('photo_id').doUpdateSet({ event_id: ({ ref }) => ref('excluded.event_id') }),
      )
      .returning(countKeys)
  })

/** Returns the counters of a photo of the event, and locks them for the rest of the transaction. */
export async function lockCounters(tx: Tx, photo: MarkedPhoto): Promise<MarkCounts> {
  const { rows } = await tx.executeQuery(lockCountersQuery(tx, photo))
  return must(rows[0], 'the counters of a photo')
}

/** Run it after `lockCountersQuery`, so that the feedback does not change before the counters are written. */
export const selectGuestMarks = (tx: Tx, photoId: number, guestId: string): CompiledQuery<StoredMark> =>
  compileOnce(tx, 'marks of a guest', { photoId, guestId }, (values) =>
    tx
      .selectFrom('feedback')
      .select(['id', 'kind', 'rating', 'color_label', 'is_visible', 'judged_at'])
      .where('photo_id', '=', values.photoId)
      .where('guest_id', '=', values.guestId),
  )

export const loadGuestMarks = async (tx: Tx, photoId: number, guestId: string): Promise<StoredMark[]> =>
  (await tx.executeQuery(selectGuestMarks(tx, photoId, guestId))).rows

/** Counts the feedback of a kind in the rows of a query. */
export const countKind = (kind: FeedbackKind) =>
  sql<number>`coalesce(sum(case when kind = ${kind} then 1 else 0 end), 0)`

/** Recounts all visible feedback. Call it after `lockCounters`. */
export async function recountMarks(tx: Tx, photoId: number): Promise<void> {
  const counted = (await countVisibleMarks(tx, [photoId])).get(photoId)
  await writeCounters(tx, photoId, counted ?? zeroCounts)
}

/** Creates the counters of photos that have feedback but no counters. */
export async function createCounters(tx: Tx, photoIds: readonly number[]): Promise<void> {
  const counted = await countVisibleMarks(tx, photoIds)
  if (counted.size === 0) return
  const photos = await tx
    .selectFrom('photos')
    .select(['id as photo_id', 'event_id', 'uploaded_at'])
    .where('id', 'in', [...counted.keys()])
    .execute()
  const markedAt = await findMarkedTimes(tx, [...counted.keys()])
  const rows = photos.flatMap((photo) => {
    const counts = counted.get(photo.photo_id)
    const marked_at = markedAt.get(photo.photo_id) ?? null
    return counts ? [{ ...photo, ...counts, ...deriveColumns(counts), marked_at }] : []
  })
  await tx.insertInto('photo_marks').values(rows).execute()
}

/** Returns when the newest visible mark of each photo was given. */
async function findMarkedTimes(tx: Tx, photoIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await tx
    .selectFrom('feedback')
    .select(({ fn }) => ['photo_id', fn.max('updated_at').as('marked_at')])
    .where('photo_id', 'in', photoIds)
    .where('is_visible', '=', 1)
    .where('kind', '<>', 'comment')
    .groupBy('photo_id')
    .execute()
  return new Map(rows.map(({ photo_id, marked_at }) => [photo_id, Number(marked_at)]))
}

/** Returns counts by photo id. Photos without visible feedback are absent. */
async function countVisibleMarks(tx: Tx, photoIds: readonly number[]): Promise<Map<number, MarkCounts>> {
  const countColor = (color: ColorLabel) =>
    sql<number>`coalesce(sum(case when color_label = ${color} then 1 else 0 end), 0)`
  const rows = await tx
    .selectFrom('feedback')
    .select('photo_id')
    .select([
      sql<number>`coalesce(sum(rating), 0)`.as('rating_sum'),
      countKind('rating').as('rating_count'),
      countKind('like').as('like_count'),
      countKind('favorite').as('favorite_count'),
      countKind('comment').as('comment_count'),
      sql<number>`count(distinct guest_id)`.as('feedback_count'),
      ...colorLabels.map((color) => countColor(color).as(color)),
    ])
    .where('photo_id', 'in', photoIds)
    .where('is_visible', '=', 1)
    .groupBy('photo_id')
    .execute()
  // PostgreSQL returns 64-bit counts as text.
  const toNumbers = (counts: object) =>
    Object.fromEntries(Object.entries(counts).map(([key, value]) => [key, Number(value)])) as MarkCounts
  return new Map(rows.map(({ photo_id, ...counts }) => [photo_id, toNumbers(counts)]))
}

/** Run it after `lockCounters`. `before`: a change of the marks between these counters and `counts` happened now. */
export function updateCounters(
  tx: Tx,
  photoId: number,
  counts: MarkCounts,
  before?: { counts: MarkCounts; now: number },
): CompiledQuery {
  const isMarked = before !== undefined && haveMarksChanged(before.counts, counts)
  const columns = { ...counts, ...deriveColumns(counts), ...(isMarked && { marked_at: before.now }) }
  return compileOnce(tx, `counters ${Object.keys(columns)}`, { photoId, ...columns }, ({ photoId, ...values }) =>
    tx.updateTable('photo_marks').set(values).where('photo_id', '=', photoId),
  )
}

/** Call it after `lockCounters`. */
const writeCounters = async (tx: Tx, photoId: number, counts: MarkCounts): Promise<void> =>
  void (await tx.executeQuery(updateCounters(tx, photoId, counts)))

const deriveColumns = (counts: MarkCounts) => ({
  average_hundredths: averageHundredths(counts),
  label_mask: createLabelMask(colorLabels.filter((color) => counts[color] > 0)),
})

const zeroCounts = countGuestMarks([])

const countKeys = Object.keys(zeroCounts) as Array<keyof MarkCounts>
