import { getChangeableEvent } from '../../events/get-changeable-event.ts'
import { insertGuestLink } from '../../events/guests/guest-links.ts'
import { findGuest, getActingGuest } from '../../events/guests/guest-rows.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { isoTime } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { hasGuestRows } from './merge-guests.ts'

/**
 * Returns a link with which a guest continues on any device, without the password of the gallery and with the marks that
 * the guest has. For a merged guest, it is the guest that remains.
 *
 * The link works once. If it worked until it expires, everybody to whom the guest forwards it could act as the guest.
 * A guest who needs it on a second device gets a link from the first device, or another one from the operator.
 *
 * Throws NOT_FOUND, also for an erased guest, or EVENT_ARCHIVED.
 */
export async function createPersonalLink(
  ctx: AppContext,
  origin: string,
  eventId: number,
  guestId: string,
): Promise<{ url: string; expires_at: string }> {
  // In a transaction, so that a guest who is erased at the same time has no link afterwards.
  const { slug, token, expiresAt } = await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
    const { slug, access_key } = await getChangeableEvent(tx, eventId)
    const guest = { event_id: eventId, guest_id: await getLinkedGuest(ctx, tx, eventId, guestId) }
    const link = { ...guest, access_key, customer_id: null, customer_version: null }
    return { slug, ...(await insertGuestLink({ ...ctx, db: tx }, link, { isPersonal: true })) }
  })
  return { url: `${origin}/gallery/${slug}/continue/${token}`, expires_at: isoTime(expiresAt) }
}

/** Guests without a name may have no row. Throws NOT_FOUND. */
async function getLinkedGuest(ctx: AppContext, tx: Tx, eventId: number, guestId: string): Promise<string> {
  const guest = await findGuest(tx, eventId, guestId)
  const actingId = guest || (await hasGuestRows(ctx, tx, eventId, guestId)) ? getActingGuest(guest, guestId) : null
  if (actingId === null) throw new AppError('NOT_FOUND')
  return actingId
}
