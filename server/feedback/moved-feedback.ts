import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Tx } from '../platform/database/tables.ts'
import { createCounters } from './count-marks.ts'
import type { FeedbackTable } from './mark-rows.ts'

type MovedGuest = { eventId: number; name: string | null; email: string | null; createdAt: number }

/** Returns the new id. The sessions that the guest had in another installation are not valid here. */
export async function insertMovedGuest(tx: Tx, { eventId, name, email, createdAt }: MovedGuest): Promise<string> {
  const id = randomUUID()
  await tx
    .insertInto('guests')
    .values({
      id,
      event_id: eventId,
      name,
      email,
      merged_into: null,
      erased_at: null,
      created_at: createdAt,
      updated_at: createdAt,
    })
    .execute()
  return id
}

/** Returns the new id, or null if the guest has such a mark already. The calling function counts the marks. */
export async function insertMovedFeedback(
  tx: Tx,
  feedback: Omit<Insertable<FeedbackTable>, 'id'>,
): Promise<number | null> {
  const inserted = await tx
    .insertInto('feedback')
    .values(feedback)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id ?? null
}

const idsPerQuery = 500

export async function countMovedFeedback(tx: Tx, photoIds: readonly number[]): Promise<void> {
  for (let start = 0; start < photoIds.length; start += idsPerQuery) {
    const ids = photoIds.slice(start, start + idsPerQuery)
    await tx.deleteFrom('photo_marks').where('photo_id', 'in', ids).execute()
    await createCounters(tx, ids)
  }
}
