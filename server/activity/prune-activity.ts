import { days } from '../platform/clock.ts'
import type { Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { AppContext } from '../settings/app-context.ts'

/** Limits the disk space that a flood of calls can use. */
const maxRows = 200_000

const maxDeletedRows = 5_000

export async function pruneActivity({ db, clock, settings }: AppContext, retainRows = maxRows): Promise<void> {
  const { activity_kept_days: keptDays } = await settings.values()
  await inTransaction(db, 'work activity', async (tx) => {
    const before = clock.now() - days(keptDays)
    const old = await rows(tx).where('at', '<', before).orderBy('at', 'desc').executeTakeFirst()
    const newest = await rows(tx).orderBy('id', 'desc').executeTakeFirst()
    const oldest = await rows(tx).orderBy('id').executeTakeFirst()
    if (!newest || !oldest) return
    const last = Math.min(Math.max(old?.id ?? 0, newest.id - retainRows), oldest.id + maxDeletedRows)
    await tx.deleteFrom('activity').where('id', '<=', last).execute()
  })
}

const rows = (tx: Tx) => tx.selectFrom('activity').select('id').limit(1)
