import { inSnapshot, inTransaction } from '../../platform/database/transaction.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { presentEvents } from '../event-rows.ts'
import { expiryWarningMs } from '../event-rules.ts'
import { loadLetterhead, mailExpiryWarning } from './event-mail.ts'
import type { Letterhead } from './write-letter.ts'

const batchSize = 100

/** Sends one warning for each near expiry of a live event, even if several processes run. */
export async function warnOfExpiry(ctx: AppContext): Promise<void> {
  const { db, clock, changes, settings } = ctx
  const now = clock.now()
  const aheadMs = expiryWarningMs(await settings.values())
  if (aheadMs === 0) return
  const due = await inSnapshot(db, (tx) =>
    tx
      .selectFrom(presentEvents(tx))
      .select('id')
      .where('expires_at', '>', now)
      .where('expires_at', '<=', now + aheadMs)
      .whereRef('expiry_warned_for', 'is distinct from', 'expires_at')
      .where('is_draft', '=', 0)
      .where('is_archived', '=', 0)
      .limit(batchSize)
      .execute(),
  )
  if (due.length === 0) return
  const head = await loadLetterhead(ctx)
  for (const { id } of due) await sendWarning(ctx, head, id, aheadMs)
  changes.notify('mail', null)
}

/** Does nothing if another process has sent the warning, or the event needs no warning any more. */
async function sendWarning(ctx: AppContext, head: Letterhead, eventId: number, aheadMs: number): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
    const event = await tx
      .updateTable('events')
      .set((row) => ({ expiry_warned_for: row.ref('expires_at') }))
      .where('id', '=', eventId)
      .where('trashed_at', 'is', null)
      .where('expires_at', '>', now)
      .where('expires_at', '<=', now + aheadMs)
      .whereRef('expiry_warned_for', 'is distinct from', 'expires_at')
      .where('is_draft', '=', 0)
      .where('is_archived', '=', 0)
      .returningAll()
      .executeTakeFirst()
    if (event) await mailExpiryWarning(ctx, tx, head, event)
  })
}
