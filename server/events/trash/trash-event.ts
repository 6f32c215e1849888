import { inTransaction } from '../../platform/database/transaction.ts'
import { deleteQueuedMails } from '../../platform/mail/queue-mail.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { notifyStateChange } from '../change-state.ts'
import { announceRestoredEvent, updateAndAnnounce } from '../event-announcements.ts'
import type { EventRow } from '../event-rows.ts'
import { getEventInTransaction } from '../get-changeable-event.ts'
import { getTrashedEvent } from './trashed-event-rows.ts'

/** Works in any state. Its slug and its share token stay reserved. Throws NOT_FOUND. */
export async function trashEvent(ctx: AppContext, eventId: number): Promise<void> {
  const { db, clock, settings } = ctx
  const origin = await settings.linkOrigin()
  await inTransaction(db, `event ${eventId}`, async (tx) => {
    await getEventInTransaction(tx, eventId)
    await deleteQueuedMails(tx, eventId)
    const now = clock.now()
    await updateAndAnnounce(tx, eventId, { trashed_at: now }, { type: 'event.deleted', origin, now })
  })
  notifyMoved(ctx, eventId)
}

/** The event has its previous state, link and password. Throws NOT_FOUND for an event that is not in the trash. */
export async function restoreTrashedEvent(ctx: AppContext, eventId: number): Promise<EventRow> {
  const { db, clock, settings } = ctx
  const origin = await settings.linkOrigin()
  const restored = await inTransaction(db, `event ${eventId}`, async (tx) => {
    await getTrashedEvent(tx, eventId)
    const now = clock.now()
    const row = await tx
      .updateTable('events')
      .set({ trashed_at: null, updated_at: now })
      .where('id', '=', eventId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await announceRestoredEvent(tx, row, origin, now)
    return row
  })
  notifyMoved(ctx, eventId)
  return restored
}

function notifyMoved(ctx: AppContext, eventId: number): void {
  notifyStateChange(ctx, eventId)
  ctx.changes.notify('photo', null)
}
