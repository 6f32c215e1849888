import type { CustomerCaller } from '../../access/callers.ts'
import { findCustomerOfGuest } from '../../access/customers/customer-rows.ts'
import { attempt } from '../../access/limits/delay-attempts.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { consumeGuestLink, findGuestLink, type GuestLink, insertGuestLink } from '../../events/guests/guest-links.ts'
import { createEntry, type Entry } from '../../gallery-access/enter-gallery.ts'
import { getGuestCaller, type OpenGallery } from '../../gallery-access/open-gallery-request.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { addressKey } from '../../platform/network/client-address.ts'
import type { RequestAddress } from '../../platform/network/request-origin.ts'
import type { GalleryContext } from '../gallery-context.ts'

/** Returns a link to continue as the same guest on another device. */
export async function createGuestLink(
  ctx: GalleryContext,
  request: RequestAddress,
  gallery: OpenGallery,
): Promise<{ url: string; expiresAt: number }> {
  const { eventId, guestId, accessKey, customer } = getGuestCaller(gallery)
  const { token, expiresAt } = await insertGuestLink(ctx, {
    event_id: eventId,
    guest_id: guestId,
    access_key: accessKey,
    customer_id: customer?.customerId ?? null,
    customer_version: customer?.version ?? null,
  })
  const origin = await ctx.settings.originFor(request)
  return { url: `${origin}/gallery/${gallery.event.slug}/continue/${token}`, expiresAt }
}

/** Does not consume the link. Throws INVALID_CREDENTIALS for a link that cannot be used. */
export async function assertGuestLink(ctx: GalleryContext, event: EventRow, token: string): Promise<void> {
  getValidLink(event, await findGuestLink(ctx, token))
}

/**
 * Throws INVALID_CREDENTIALS for a link that is used or expired, or from before the last change of the event's access
 * key, and RATE_LIMITED after too many failures from one address.
 */
export function redeemGuestLink(ctx: GalleryContext, ip: string, event: EventRow, token: string): Promise<Entry> {
  return attempt(ctx.access.limits.entryFailuresOfAddress(addressKey(ip)), async () => {
    getValidLink(event, await findGuestLink(ctx, token))
    const link = getValidLink(event, await consumeGuestLink(ctx, token))
    return createEntry(ctx, event, () => link.guest_id, await findLinkedCustomer(ctx, link))
  })
}

/** A personal link for the guest of a customer names no customer, but its session ends with the assignment too. */
async function findLinkedCustomer(ctx: GalleryContext, link: GuestLink): Promise<CustomerCaller | undefined> {
  if (link.customer_id !== null) return { customerId: link.customer_id, version: link.customer_version ?? 0 }
  const customer = await findCustomerOfGuest(ctx.db, link.event_id, link.guest_id)
  return customer && { customerId: customer.id, version: customer.session_version }
}

function getValidLink(event: EventRow, link: GuestLink | undefined): GuestLink {
  if (link?.event_id === event.id && link.access_key === event.access_key) return link
  throw new AppError('INVALID_CREDENTIALS')
}
