import { days } from '../platform/clock.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

const keptMs = days(1)
const maxKept = 100_000

/**
 * Forgets what is a day old or behind the newest 100,000. The newest stays: by it a stream knows where it is. In one
 * transaction, so that the reader thread is not woken for it.
 */
export const pruneLiveEvents = ({ db, clock }: PlatformContext): Promise<void> =>
  inTransaction(db, 'work live', async (tx) => {
    const newest = await tx.selectFrom('live_events').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
    if (!newest) return
    await tx
      .deleteFrom('live_events')
      .where('id', '<', newest.id)
      .where((where) =>
        where.or([where('created_at', '<', clock.now() - keptMs), where('id', '<=', newest.id - maxKept)]),
      )
      .execute()
  })
