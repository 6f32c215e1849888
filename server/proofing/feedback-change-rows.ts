import type { Selectable } from 'kysely'
import type { Tx } from '../platform/database/tables.ts'

/** A guest who has changed feedback in an event, until receivers are told of it once for all that has been changed. */
export type FeedbackChangeTable = {
  event_id: number
  guest_id: string
  first_at: number
  last_at: number
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    feedback_changes: FeedbackChangeTable
  }
}

export type FeedbackChangeRow = Selectable<FeedbackChangeTable>

/** Written in the transaction of the change. */
export async function noteFeedbackChange(tx: Tx, eventId: number, guestId: string, now: number): Promise<void> {
  await tx
    .insertInto('feedback_changes')
    .values({ event_id: eventId, guest_id: guestId, first_at: now, last_at: now })
    .onConflict((conflict) => conflict.columns(['event_id', 'guest_id']).doUpdateSet({ last_at: now }))
    .execute()
}

export async function forgetFeedbackChange(tx: Tx, eventId: number, guestId: string): Promise<void> {
  await tx.deleteFrom('feedback_changes').where('event_id', '=', eventId).where('guest_id', '=', guestId).execute()
}

/** Those quiet since `quietSince`, and those first noted by `firstBefore`, however lively they still are. */
export type Ripeness = { quietSince: number; firstBefore: number }

export const ripeFeedbackChanges = (tx: Tx, { quietSince, firstBefore }: Ripeness, limit: number) =>
  tx
    .selectFrom('feedback_changes')
    .select(['event_id', 'guest_id'])
    .where((where) => where.or([where('last_at', '<=', quietSince), where('first_at', '<=', firstBefore)]))
    .orderBy('last_at')
    .limit(limit)
    .execute()

/** Takes one for whoever tells of it in the same transaction; undefined where it is not ripe any more, or another's. */
export const takeFeedbackChange = (
  tx: Tx,
  { event_id, guest_id }: Pick<FeedbackChangeRow, 'event_id' | 'guest_id'>,
  { quietSince, firstBefore }: Ripeness,
): Promise<FeedbackChangeRow | undefined> =>
  tx
    .deleteFrom('feedback_changes')
    .where('event_id', '=', event_id)
    .where('guest_id', '=', guest_id)
    .where((where) => where.or([where('last_at', '<=', quietSince), where('first_at', '<=', firstBefore)]))
    .returningAll()
    .executeTakeFirst()
