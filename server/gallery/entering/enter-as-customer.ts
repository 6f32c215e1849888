import type { GuestCaller } from '../../access/callers.ts'
import type { CustomerRow } from '../../access/customers/customer-rows.ts'
import { assertAssignment } from '../../access/customers/customer-state.ts'
import { gallerySessionSeconds } from '../../events/event-rules.ts'
import { findGuest, resolveMergedGuest, saveGuest } from '../../events/guests/guest-rows.ts'
import { recordNamedGuest } from '../../events/live/live-event-rows.ts'
import { type Entry, getOpenEvent } from '../../gallery-access/enter-gallery.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { GalleryContext } from '../gallery-context.ts'

/** Needs no password. Throws NOT_FOUND, GALLERY_EXPIRED, CUSTOMER_ASSIGNMENT_REVOKED or TOKEN_REVOKED. */
export async function enterAsCustomer(ctx: GalleryContext, customer: CustomerRow, slug: string): Promise<Entry> {
  const { access, counts, customers } = ctx
  const event = await getOpenEvent(ctx, slug)
  const caller = { customerId: customer.id, version: customer.session_version }
  const assignment = await customers.assignment(customer.id, event.id)
  assertAssignment(assignment, caller)
  const guest = { eventId: event.id, accessKey: event.access_key, guestId: assignment.guest_id, customer: caller }
  await nameCustomerGuest(ctx, guest, customer)
  counts.countEntry(guest)
  return { event, guest, token: access.signGallerySession(guest, gallerySessionSeconds(event)) }
}

/** Gives the guest the name and mail address of the customer, unless the guest has a name already. */
async function nameCustomerGuest(
  { db, clock, changes }: GalleryContext,
  guest: GuestCaller,
  { name, email }: CustomerRow,
): Promise<void> {
  const { eventId } = guest
  const guestId = await resolveMergedGuest(db, eventId, guest.guestId)
  const known = await findGuest(db, eventId, guestId)
  if (known?.name) return
  const now = clock.now()
  await inTransaction(db, `event ${eventId}`, async (tx) => {
    await saveGuest(tx, { eventId, guestId, name, email, now })
    await recordNamedGuest(tx, { eventId, guestId }, now)
  })
  changes.notify('live', eventId)
}
