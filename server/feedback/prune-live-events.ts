import { days } from '../platform/clock.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

const retentionMs = days(1)
const maxEvents = 100_000

/** Keeps the newest event, because streams start at its id. The transaction avoids waking the reader thread. */
export const pruneLiveEvents = ({ db, clock }: PlatformContext): Promise<void> =>
  inTransaction(db, 'work live', async (tx) => {
    const newest = await tx.selectFrom('live_events').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
    if (!newest) return
    await tx
      .deleteFrom('live_events')
      .where('id', '<', newest.id)
      .where((where) =>
        where.or([where('created_at', '<', clock.now() - retentionMs), where('id', '<=', newest.id - maxEvents)]),
      )
      .execute()
  })
