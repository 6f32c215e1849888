import type { MarkBody } from '../../../contract/marks.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import type { MarkedPhoto } from './feedback-rows.ts'
import type { OwnMark } from './mark-rules.ts'

/** A missing key keeps its mark; null clears the mark. `getPhoto` throws if the photo may not be marked. */
export async function setOwnMark(
  { db, clock }: PlatformContext,
  { eventId, userId }: { eventId: number; userId: number },
  getPhoto: (tx: Tx) => Promise<MarkedPhoto>,
  change: MarkBody,
): Promise<OwnMark> {
  return inTransaction(db, `event ${eventId}`, async (tx) => {
    const { id: photo_id, event_id, uploaded_at } = await getPhoto(tx)
    const before = await tx
      .selectFrom('account_marks')
      .select(['rating', 'color_label'])
      .where('user_id', '=', userId)
      .where('photo_id', '=', photo_id)
      .executeTakeFirst()
    const mark = { rating: null, color_label: null, ...before, ...pickDefined(change) }
    if (mark.rating === null && mark.color_label === null) {
      await tx.deleteFrom('account_marks').where('user_id', '=', userId).where('photo_id', '=', photo_id).execute()
      return mark
    }
    await storeOwnMark(tx, { id: photo_id, event_id, uploaded_at }, userId, { ...mark, updated_at: clock.now() })
    return mark
  })
}

/** Replaces the marks of the account. `mark` has a rating or a color. */
export async function storeOwnMark(
  tx: Tx,
  { id: photo_id, event_id, uploaded_at }: MarkedPhoto,
  userId: number,
  mark: OwnMark & { updated_at: number },
): Promise<void> {
  await tx
    .insertInto('account_marks')
    .values({ user_id: userId, photo_id, event_id, uploaded_at, ...mark })
    .onConflict((conflict) => conflict.columns(['user_id', 'photo_id']).doUpdateSet(mark))
    .execute()
}

const pickDefined = ({ rating, color_label }: MarkBody): Partial<OwnMark> => ({
  ...(rating !== undefined && { rating }),
  ...(color_label !== undefined && { color_label }),
})
