import type { ErasedGuest } from '../../contract/gallery/guests.ts'
import { deleteNoteOutcomes } from '../access/idempotency-rows.ts'
import { renewGuestIds } from '../customers/renew-guest-ids.ts'
import { clearPickersOfExports } from '../exports/export-rows.ts'
import { eraseGuestRows } from '../feedback/erase-guest-rows.ts'
import { clearUploader } from '../photos/clear-uploader.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { deleteMailsAbout } from '../platform/mail/queue-mail.ts'
import type { AppContext } from '../settings/app-context.ts'
import { deleteGuestUploads, discardSessions } from '../uploads/guest-sessions.ts'
import { redactDeliveries } from '../webhooks/redact-deliveries.ts'

/**
 * Erases a guest of an event, with all guests merged into it, for good. Selections stay without their guest. Also works
 * in archived events. Throws NOT_FOUND for an unknown, merged or erased guest.
 */
export async function eraseGuest(ctx: AppContext, eventId: number, guestId: string): Promise<ErasedGuest> {
  const { db, clock, changes } = ctx
  // Alone, so that no other transaction copies data of the guest at the same time, such as a replay of a delivery.
  const { erased, openUploads } = await inTransaction(db, 'everything', async (tx) => {
    const rows = await eraseGuestRows(tx, { eventId, guestId, now: clock.now() })
    const { guestIds, selectionIds, noteIds, counts, links } = rows
    await deleteNoteOutcomes(tx, noteIds)
    await renewGuestIds(tx, eventId, guestIds)
    const uploads = await deleteGuestUploads(tx, eventId, guestIds)
    const erased: ErasedGuest = {
      ratings: counts.rating,
      color_labels: counts.color_label,
      likes: counts.like,
      favorites: counts.favorite,
      comments: counts.comment,
      selections: selectionIds.length,
      notes: noteIds.length,
      photos: await clearUploader(tx, eventId, guestIds),
      uploads: uploads.length,
      links,
      mails: await deleteMailsAbout(tx, selectionIds),
      webhook_deliveries: await redactDeliveries(tx, guestIds),
      exports: await clearPickersOfExports(tx, eventId, guestIds),
    }
    return { erased, openUploads: uploads.filter(({ status }) => status === 'in_progress') }
  })
  changes.notify('guest', eventId)
  changes.notify('customer', null)
  changes.notify('live', eventId)
  changes.notify('photo', null)
  await discardSessions(ctx, openUploads)
  return erased
}
