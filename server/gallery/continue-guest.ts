import type { FastifyRequest } from 'fastify'
import { attempt } from '../access/sign-in-attempts.ts'
import type { EventRow } from '../events/event-rows.ts'
import { AppError } from '../platform/app-error.ts'
import { addressKey } from '../platform/http/address.ts'
import { addGuestLink, findGuestLink, type GuestLink, takeGuestLink } from '../proofing/guest-links.ts'
import { type Entry, entryOf } from './enter-gallery.ts'
import type { GalleryContext } from './gallery-context.ts'
import { guestOnly, type OpenGallery } from './open-gallery.ts'

/** As it stands in an address. */
export type ContinueLink = { slug: string; linkToken: string }

/** A link by which a guest goes on as the same one with another device. Works once, for 15 minutes. */
export async function giveGuestLink(
  ctx: GalleryContext,
  request: FastifyRequest,
  gallery: OpenGallery,
): Promise<{ url: string; expiresAt: number }> {
  const { eventId, guestId, accessKey, customer } = guestOnly(gallery)
  const { token, expiresAt } = await addGuestLink(ctx, {
    event_id: eventId,
    guest_id: guestId,
    access_key: accessKey,
    customer_id: customer?.customerId ?? null,
    customer_version: customer?.version ?? null,
  })
  const origin = await ctx.settings.originFor(request)
  return { url: `${origin}/gallery/${gallery.event.slug}/continue/${token}`, expiresAt }
}

/** Uses nothing up. Throws INVALID_CREDENTIALS for a link that cannot be taken. */
export async function lookAtGuestLink(
  ctx: GalleryContext,
  event: EventRow,
  { linkToken }: ContinueLink,
): Promise<void> {
  validateLink(event, await findGuestLink(ctx, linkToken))
}

/**
 * Uses the link up and lets the guest in. Throws INVALID_CREDENTIALS for a link that has been used, has run out, or was
 * given before the password was changed; RATE_LIMITED instead, for an address that has tried too many.
 */
export async function takeUpGuest(
  ctx: GalleryContext,
  ip: string,
  event: EventRow,
  { linkToken }: ContinueLink,
): Promise<Entry> {
  return attempt(ctx.access.limits.galleryFailures(addressKey(ip)), async () => {
    validateLink(event, await findGuestLink(ctx, linkToken))
    const { guest_id, customer_id, customer_version } = validateLink(event, await takeGuestLink(ctx, linkToken))
    const customer = customer_id === null ? undefined : { customerId: customer_id, version: customer_version ?? 0 }
    return entryOf(ctx, event, () => guest_id, customer)
  })
}

function validateLink(event: EventRow, link: GuestLink | undefined): GuestLink {
  if (link?.event_id === event.id && link.access_key === event.access_key) return link
  throw new AppError('INVALID_CREDENTIALS')
}
