import { inTransaction } from '../platform/database/transaction.ts'
import type { AppContext } from '../settings/app-context.ts'
import { announceEvent } from './event-announcements.ts'
import type { EventRow } from './event-rows.ts'
import { createAccessKey, createShareToken } from './event-rules.ts'
import { getChangeableEvent } from './get-changeable-event.ts'

/** Ends all guest sessions; the password stays. Throws NOT_FOUND or EVENT_ARCHIVED. */
export async function renewShareLink({ db, clock, settings, changes }: AppContext, eventId: number): Promise<EventRow> {
  const origin = await settings.linkOrigin()
  const changed = await inTransaction(db, `event ${eventId}`, async (tx) => {
    await getChangeableEvent(tx, eventId)
    const now = clock.now()
    const renewed = await tx
      .updateTable('events')
      .set({ share_token: createShareToken(), access_key: createAccessKey(), updated_at: now })
      .where('id', '=', eventId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await announceEvent(tx, 'event.updated', renewed, origin, now)
    return renewed
  })
  changes.notify('event', eventId)
  changes.notify('delivery', eventId)
  return changed
}
