import { inSnapshot, inTransaction } from '../platform/database/transaction.ts'
import type { AppContext } from '../settings/app-context.ts'
import { archiveWithin, notifyStateChange } from './change-state.ts'
import { announceEvent } from './event-announcements.ts'
import type { Letterhead } from './event-letters.ts'
import { letterheadOf } from './event-mail.ts'

const maxConcurrent = 500

/**
 * Announces each expired event once, also with several processes. The newest come first, so that events that fail again
 * cannot fill the batch.
 */
export async function expireEvents(ctx: AppContext): Promise<void> {
  const { db, clock, log, settings } = ctx
  const due = await inSnapshot(db, (tx) =>
    tx
      .selectFrom('events')
      .select('id')
      .where('expires_at', '<=', clock.now())
      .where('expired_at', 'is', null)
      .where('is_draft', '=', 0)
      .where('is_archived', '=', 0)
      .orderBy('expires_at', 'desc')
      .limit(maxConcurrent)
      .execute(),
  )
  if (due.length === 0) return
  const { general_auto_archive_on_expiry: archives } = await settings.values()
  const head = await letterheadOf(ctx)
  for (const { id } of due) {
    await expireEvent(ctx, head, id, archives).catch((err) =>
      log.error({ err, event_id: id }, 'It could not be told that an event has expired'),
    )
  }
}

/** One transaction for both changes. Does nothing if another process was faster, or the event has changed. */
async function expireEvent(ctx: AppContext, head: Letterhead, eventId: number, archives: boolean): Promise<void> {
  const { db, clock } = ctx
  const isOurs = await inTransaction(db, `event ${eventId}`, async (tx) => {
    const now = clock.now()
    const row = await tx
      .updateTable('events')
      .set({ expired_at: now })
      .where('id', '=', eventId)
      .where('expired_at', 'is', null)
      .where('expires_at', '<=', now)
      .where('is_draft', '=', 0)
      .where('is_archived', '=', 0)
      .returningAll()
      .executeTakeFirst()
    if (!row) return false
    await announceEvent(tx, 'event.expired', row, head.origin, now)
    if (archives) await archiveWithin(ctx, tx, head, eventId)
    return true
  })
  if (isOurs) notifyStateChange(ctx, eventId)
}
