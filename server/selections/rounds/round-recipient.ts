import type { MailState } from '../../../contract/gallery/rounds.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { isExpired } from '../../events/event-rules.ts'
import { findGuest } from '../../events/guests/guest-rows.ts'
import type { MailedGuest } from '../../events/mail/round-letters.ts'
import { createGalleryUrl, createNoticeLink } from '../../feedback/notices/notice-links.ts'
import {
  changeNotice,
  ensureNotice,
  findNotice,
  isUnsubscribed,
  listAsked,
} from '../../feedback/notices/notice-rows.ts'
import { isBeforeReveal } from '../../gallery-access/viewing-rules.ts'
import type { Tx } from '../../platform/database/tables.ts'
import type { AppContext } from '../../settings/app-context.ts'

/** Whether guests cannot see the photos of the gallery now. */
export const isClosedToGuests = (event: EventRow, now: number): boolean =>
  event.is_draft === 1 || event.is_archived === 1 || isExpired(event, now) || isBeforeReveal(event, now)

type Addresses = { email: string | null; confirmed_email: string | null; unsubscribed_at: number | null }

const isCustomer = (email: string, { customer_email }: EventRow) =>
  customer_email?.toLowerCase() === email.toLowerCase()

/**
 * Mails go to addresses that were confirmed, and to that of the customer, which the operator has entered. `asked`: the
 * addresses, in lower case, that a mail has asked to confirm.
 */
export function describeMailState(
  { email, confirmed_email, unsubscribed_at }: Addresses,
  event: EventRow,
  asked: ReadonlySet<string>,
  now: number,
): MailState {
  if (isClosedToGuests(event, now)) return 'gallery_closed'
  if (email === null) return 'no_address'
  if (unsubscribed_at !== null) return 'unsubscribed'
  if (confirmed_email === email || isCustomer(email, event)) return 'yes'
  return asked.has(email.toLowerCase()) ? 'unconfirmed' : 'asks'
}

/**
 * Returns null for a guest who gets no mails, or who cannot open the gallery now. `canAsk`: an operator causes the mail,
 * so that it may ask to confirm an address. Such a mail has no words of the guest.
 */
export async function findRoundRecipient(
  ctx: AppContext,
  tx: Tx,
  event: EventRow,
  { guestId, origin, canAsk }: { guestId: string; origin: string; canAsk: boolean },
): Promise<MailedGuest | null> {
  const { email = null, name = null } = (await findGuest(tx, event.id, guestId)) ?? {}
  if (email === null) return null
  const key = { event_id: event.id, guest_id: guestId }
  const { confirmed_email = null, unsubscribed_at = null } = (await findNotice(tx, key)) ?? {}
  const asked = canAsk ? await listAsked(tx, event.id, [email]) : new Set<string>()
  const state = describeMailState({ email, confirmed_email, unsubscribed_at }, event, asked, ctx.clock.now())
  const isAsking = state === 'asks' && canAsk
  if ((state !== 'yes' && !isAsking) || (await isUnsubscribed(tx, event.id, email))) return null
  await ensureNotice(tx, key)
  if (isAsking) await changeNotice(tx, key, { asked_email: email.toLowerCase() })
  const isToCustomer = isCustomer(email, event)
  const link = { eventId: event.id, guestId }
  return {
    email,
    name: isToCustomer ? event.customer_name : isAsking ? null : name,
    galleryUrl: createGalleryUrl(ctx, origin, event, { guestId, isCustomer: isToCustomer }, null),
    ...(isAsking
      ? { confirm: createNoticeLink(ctx, origin, { act: 'confirm', ...link, email }) }
      : { unsubscribe: createNoticeLink(ctx, origin, { act: 'unsubscribe', ...link }) }),
  }
}
