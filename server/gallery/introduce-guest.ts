import type { NameGuestBody } from '../../contract/guests.ts'
import type { GuestCaller } from '../access/callers.ts'
import { AppError, invalidField } from '../platform/app-error.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { actingGuest, findGuest, type GuestRow } from '../proofing/guest-rows.ts'
import { noteNamedGuest } from '../proofing/live-event-rows.ts'
import { nameGuest, plainGuestName } from '../proofing/name-guest.ts'
import type { GalleryContext } from './gallery-context.ts'

export type KnownAs = Pick<GuestRow, 'id' | 'name' | 'email'>

export async function knownAs({ db }: GalleryContext, { eventId, guestId }: GuestCaller): Promise<KnownAs> {
  return (await findGuest(db, eventId, guestId)) ?? { id: guestId, name: null, email: null }
}

/** The returned token identifies the same guest in other sessions of the gallery. */
export async function introduceGuest(
  { db, clock, access, changes }: GalleryContext,
  { eventId, guestId: sessionGuest }: GuestCaller,
  body: NameGuestBody,
): Promise<{ guest: GuestRow; token: string }> {
  const name = plainGuestName(body.name)
  if (name === null) throw invalidField('name', 'is required')
  const guest = await inTransaction(db, `event ${eventId}`, async (tx) => {
    const guestId = await actingGuest(tx, eventId, sessionGuest)
    const now = clock.now()
    const before = await findGuest(tx, eventId, guestId)
    await nameGuest(tx, { eventId, guestId, name, email: body.email || null, now })
    const guest = await findGuest(tx, eventId, guestId)
    const isNews = guest?.name !== before?.name || guest?.email !== before?.email
    if (isNews) await noteNamedGuest(tx, { eventId, guestId }, now)
    return guest
  })
  changes.tell('live', eventId)
  if (!guest) throw new AppError('NOT_FOUND')
  return { guest, token: access.guestTokens.sign({ eventId, guestId: guest.id }) }
}
