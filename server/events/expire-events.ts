import { inSnapshot, inTransaction } from '../platform/database/transaction.ts'
import type { AppContext } from '../settings/app-context.ts'
import { archiveWithin, tellOfState } from './change-state.ts'
import { announceEvent } from './event-announcements.ts'
import type { Letterhead } from './event-letters.ts'
import { letterheadOf } from './event-mail.ts'

const maxConcurrent = 500

/**
 * Tells once of every event that has expired, at most a minute late, also with several processes; where the setting
 * says so it is archived with that. That guests are turned away needs no telling: they are compared
 * with `expires_at` on every request. An event that fails is tried again by the next run, and holds up no other;
 * those that expired last come first, lest such events fill the batch.
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

/**
 * Expiry and archiving in one transaction, so that none is left without the other. Does nothing where another process
 * was faster, or the event has been given more time or archived meanwhile.
 */
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
  if (isOurs) tellOfState(ctx, eventId)
}
