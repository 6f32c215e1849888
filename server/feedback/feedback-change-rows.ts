import type { CompiledQuery, ExpressionBuilder, Selectable } from 'kysely'
import { compileOnce } from '../platform/database/compile-once.ts'
import type { Tables, Tx } from '../platform/database/tables.ts'

/** One row for each guest with feedback changes that have not been announced to webhooks yet. */
export type FeedbackChangeTable = { event_id: number; guest_id: string; first_at: number; last_at: number }

declare module '../platform/database/tables.ts' {
  interface Tables {
    feedback_changes: FeedbackChangeTable
  }
}

export type FeedbackChangeRow = Selectable<FeedbackChangeTable>

export const upsertFeedbackChange = (tx: Tx, eventId: number, guestId: string, now: number): CompiledQuery =>
  compileOnce(tx, 'feedback change', { eventId, guestId, now }, (values) =>
    tx
      .insertInto('feedback_changes')
      .values({ event_id: values.eventId, guest_id: values.guestId, first_at: values.now, last_at: values.now })
      .onConflict((conflict) => conflict.columns(['event_id', 'guest_id']).doUpdateSet({ last_at: values.now })),
  )

export async function recordFeedbackChange(tx: Tx, eventId: number, guestId: string, now: number): Promise<void> {
  await tx.executeQuery(upsertFeedbackChange(tx, eventId, guestId, now))
}

export async function deleteFeedbackChange(tx: Tx, eventId: number, guestId: string): Promise<void> {
  await tx.deleteFrom('feedback_changes').where('event_id', '=', eventId).where('guest_id', '=', guestId).execute()
}

/**
 * Epoch milliseconds. The changes of a guest are due if the last change is not newer than `quietSince`, or the first
 * change is not newer than `firstBefore`.
 */
export type DueTimes = { quietSince: number; firstBefore: number }

const isDue =
  ({ quietSince, firstBefore }: DueTimes) =>
  (where: ExpressionBuilder<Tables, 'feedback_changes'>) =>
    where.or([where('last_at', '<=', quietSince), where('first_at', '<=', firstBefore)])

export const dueFeedbackChanges = (tx: Tx, dueTimes: DueTimes, limit: number) =>
  tx
    .selectFrom('feedback_changes')
    .select(['event_id', 'guest_id'])
    .where(isDue(dueTimes))
    .orderBy('last_at')
    .limit(limit)
    .execute()

/** Deletes and returns the row of a guest. Returns undefined if it is no longer due or already deleted. */
export const claimFeedbackChange = (
  tx: Tx,
  { event_id, guest_id }: Pick<FeedbackChangeRow, 'event_id' | 'guest_id'>,
  dueTimes: DueTimes,
): Promise<FeedbackChangeRow | undefined> =>
  tx
    .deleteFrom('feedback_changes')
    .where('event_id', '=', event_id)
    .where('guest_id', '=', guest_id)
    .where(isDue(dueTimes))
    .returningAll()
    .executeTakeFirst()
