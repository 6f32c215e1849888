import { inSnapshot, inTransaction } from '../platform/database/transaction.ts'
import type { AppContext } from '../settings/app-context.ts'
import { archiveInTransaction, notifyStateChange } from './change-state.ts'
import { announceEvent } from './event-announcements.ts'
import { presentEvents } from './event-rows.ts'
import { loadLetterhead } from './mail/event-mail.ts'
import type { Letterhead } from './mail/write-letter.ts'

const batchSize = 500

/**
 * Announces each expired event once, and archives it if the setting says so. The events that expired last come first,
 * so that older events that fail each time cannot fill the batch.
 */
export async function expireEvents(ctx: AppContext): Promise<void> {
  const { db, clock, log, settings } = ctx
  const due = await inSnapshot(db, (tx) =>
    tx
      .selectFrom(presentEvents(tx))
      .select('id')
      .where('expires_at', '<=', clock.now())
      .where('expired_at', 'is', null)
      .where('is_draft', '=', 0)
      .where('is_archived', '=', 0)
      .orderBy('expires_at', 'desc')
      .limit(batchSize)
      .execute(),
  )
  if (due.length === 0) return
  const { general_auto_archive_on_expiry: shouldArchive } = await settings.values()
  const head = await loadLetterhead(ctx)
  for (const { id } of due) {
    await expireEvent(ctx, head, id, shouldArchive).catch((err) =>
      log.error({ err, event_id: id }, 'Could not announce that an event has expired'),
    )
  }
}

/** Announces and archives in one transaction. Does nothing if another process has done so, or the event has changed. */
async function expireEvent(ctx: AppContext, head: Letterhead, eventId: number, shouldArchive: boolean): Promise<void> {
  const { db, clock } = ctx
  const hasExpired = await inTransaction(db, `event ${eventId}`, async (tx) => {
    const now = clock.now()
    const row = await tx
      .updateTable('events')
      .set({ expired_at: now })
      .where('id', '=', eventId)
      .where('trashed_at', 'is', null)
      .where('expired_at', 'is', null)
      .where('expires_at', '<=', now)
      .where('is_draft', '=', 0)
      .where('is_archived', '=', 0)
      .returningAll()
      .executeTakeFirst()
    if (!row) return false
    await announceEvent(tx, 'event.expired', row, head.origin, now)
    if (shouldArchive) await archiveInTransaction(ctx, tx, head, eventId)
    return true
  })
  if (hasExpired) notifyStateChange(ctx, eventId)
}
