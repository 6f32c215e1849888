import { insertGuestLink } from '../feedback/guest-links.ts'
import { findGuest, getActingGuest } from '../feedback/guest-rows.ts'
import { AppError } from '../platform/app-error.ts'
import { isoTime } from '../platform/clock.ts'
import type { AppContext } from '../settings/app-context.ts'
import { findEvent } from './event-rows.ts'
import { assertChangeable } from './get-changeable-event.ts'

/**
 * Returns a link with which a guest continues on any device, with the marks that it has. Throws NOT_FOUND, also for an
 * erased guest, or EVENT_ARCHIVED.
 */
export async function createPersonalLink(
  ctx: AppContext,
  origin: string,
  eventId: number,
  guestId: string,
): Promise<{ url: string; expires_at: string }> {
  const event = assertChangeable(await findEvent(ctx.db, eventId))
  const guest = await findGuest(ctx.db, eventId, guestId)
  const actingId = guest ? getActingGuest(guest, guestId) : null
  if (actingId === null) throw new AppError('NOT_FOUND')
  const { token, expiresAt } = await insertGuestLink(
    ctx,
    {
      event_id: eventId,
      guest_id: actingId,
      access_key: event.access_key,
      customer_id: null,
      customer_version: null,
    },
    { isPersonal: true },
  )
  return { url: `${origin}/gallery/${event.slug}/continue/${token}`, expires_at: isoTime(expiresAt) }
}
