import type { GuestRecord, NameGuestBody } from '../../../contract/gallery/guests.ts'
import type { GuestCaller } from '../../access/callers.ts'
import {
  findGuest,
  type GuestRow,
  guestRecord,
  normalizeGuestName,
  resolveMergedGuest,
  saveGuest,
} from '../../events/guests/guest-rows.ts'
import { recordNamedGuest } from '../../events/live/live-event-rows.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { invalidField } from '../../platform/errors/app-error.ts'
import type { GalleryContext } from '../gallery-context.ts'

export const loadGuestContact = async (
  { db }: GalleryContext,
  { eventId, guestId }: GuestCaller,
): Promise<GuestRecord> =>
  guestRecord((await findGuest(db, eventId, guestId)) ?? { id: guestId, name: null, email: null })

/** The returned token identifies the same guest in other sessions of the gallery. */
export async function nameSessionGuest(
  { db, clock, access, changes }: GalleryContext,
  { eventId, guestId: sessionGuest }: GuestCaller,
  body: NameGuestBody,
): Promise<{ guest: GuestRow; token: string }> {
  const name = normalizeGuestName(body.name)
  if (name === null) throw invalidField('name', 'is required')
  const guest = await inTransaction(db, `event ${eventId}`, async (tx) => {
    const guestId = await resolveMergedGuest(tx, eventId, sessionGuest)
    const now = clock.now()
    const before = await findGuest(tx, eventId, guestId)
    const guest = await saveGuest(tx, { eventId, guestId, name, email: body.email || null, now })
    const hasChanged = guest.name !== before?.name || guest.email !== before?.email
    if (hasChanged) await recordNamedGuest(tx, { eventId, guestId }, now)
    return guest
  })
  changes.notify('live', eventId)
  return { guest, token: access.guestTokens.sign({ eventId, guestId: guest.id }) }
}
