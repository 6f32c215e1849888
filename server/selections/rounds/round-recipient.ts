import type { EventRow } from '../../events/event-rows.ts'
import { isExpired } from '../../events/event-rules.ts'
import { findGuest } from '../../events/guests/guest-rows.ts'
import type { MailedGuest } from '../../events/mail/round-letters.ts'
import { createGalleryUrl, createNoticeLink } from '../../feedback/notices/notice-links.ts'
import { ensureNotice, findNotice } from '../../feedback/notices/notice-rows.ts'
import { isBeforeReveal } from '../../gallery-access/viewing-rules.ts'
import type { Tx } from '../../platform/database/tables.ts'
import type { AppContext } from '../../settings/app-context.ts'

type Addresses = { email: string | null; confirmed_email: string | null; unsubscribed_at: number | null }

/** Mails go to addresses that were confirmed, and to that of the customer, which the operator has entered. */
export const canBeMailed = ({ email, confirmed_email, unsubscribed_at }: Addresses, event: EventRow): boolean =>
  email !== null && unsubscribed_at === null && (confirmed_email === email || isCustomer(email, event))

const isCustomer = (email: string, { customer_email }: EventRow) =>
  customer_email?.toLowerCase() === email.toLowerCase()

/** Returns null for a guest who gets no mails, or who cannot open the gallery now. */
export async function findRoundRecipient(
  ctx: AppContext,
  tx: Tx,
  event: EventRow,
  { guestId, origin }: { guestId: string; origin: string },
): Promise<MailedGuest | null> {
  const now = ctx.clock.now()
  if (event.is_draft === 1 || event.is_archived === 1 || isExpired(event, now) || isBeforeReveal(event, now))
    return null
  const guest = await findGuest(tx, event.id, guestId)
  if (!guest?.email) return null
  const key = { event_id: event.id, guest_id: guestId }
  const { confirmed_email = null, unsubscribed_at = null } = (await findNotice(tx, key)) ?? {}
  const { email } = guest
  if (!canBeMailed({ email, confirmed_email, unsubscribed_at }, event)) return null
  await ensureNotice(tx, key)
  const isToCustomer = isCustomer(email, event)
  return {
    email,
    name: isToCustomer ? event.customer_name : guest.name,
    galleryUrl: createGalleryUrl(ctx, origin, event, { guestId, isCustomer: isToCustomer }, null),
    unsubscribe: createNoticeLink(ctx, origin, { act: 'unsubscribe', eventId: event.id, guestId }),
  }
}
