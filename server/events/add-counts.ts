import { sql } from 'kysely'
import { inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { addToDayCounts } from './event-days.ts'

export type EventCounts = { views: number; downloads: number }

/** Adds the counts to the totals of each event and to its counts of the current day. Ignores deleted events. */
export async function addCounts({ db, clock }: PlatformContext, counts: ReadonlyMap<number, EventCounts>) {
  await inTransaction(db, 'work counts', async (tx) => {
    for (const [eventId, { views, downloads }] of counts) {
      const counted = await tx
        .updateTable('events')
        .set({
          total_views: sql<number>`total_views + ${views}`,
          total_downloads: sql<number>`total_downloads + ${downloads}`,
        })
        .where('id', '=', eventId)
        .returning('id')
        .executeTakeFirst()
      if (counted) await addToDayCounts(tx, eventId, clock.now(), { views, downloads })
    }
  })
}
