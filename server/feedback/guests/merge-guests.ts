import { fillMissingContact, findGuest, type GuestRow, saveGuest, setMerged } from '../../events/guests/guest-rows.ts'
import { recordLiveEvent } from '../../events/live/live-event-rows.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import type { AppContext } from '../../settings/app-context.ts'
import type { GuestMerge, Registries } from '../../settings/belongings.ts'
import type { MarkGuard } from '../marks/markable-photo.ts'

/**
 * Everything that belongs to `from` then belongs to `into`, including its sessions. Throws NOT_FOUND for unknown or
 * merged guests, VALIDATION_ERROR for equal ids, and the errors of the guard.
 */
export async function mergeGuests(
  ctx: AppContext,
  merge: GuestMerge,
  guard: Pick<MarkGuard, 'assertMerge'>,
): Promise<GuestRow> {
  const { db, clock, changes, guestBelongings } = ctx
  const { eventId, from, into } = merge
  if (from === into) throw invalidField('into', 'must be another guest')
  const merged = await inTransaction(db, `event ${eventId}`, async (tx) => {
    const now = clock.now()
    await guard.assertMerge(tx, merge)
    const other = await getOrCreateGuest(ctx, tx, { eventId, guestId: from, now })
    await getOrCreateGuest(ctx, tx, { eventId, guestId: into, now })
    await setMerged(tx, merge)
    for (const belongings of guestBelongings) await belongings.merge?.(tx, merge, now)
    await recordLiveEvent(tx, { event_id: eventId, type: 'guest', guest_id: into, data: { did: 'merged' } }, now)
    return fillMissingContact(tx, eventId, into, other)
  })
  changes.notify('guest', eventId)
  changes.notify('live', eventId)
  return merged
}

type WithGuests = Pick<Registries, 'guestBelongings'>
type GuestOfEvent = { eventId: number; guestId: string; now: number }

/** Throws NOT_FOUND for an unknown, merged or erased guest. */
export async function getOrCreateGuest(
  ctx: WithGuests,
  tx: Tx,
  { eventId, guestId, now }: GuestOfEvent,
): Promise<GuestRow> {
  const known = await findGuest(tx, eventId, guestId)
  if (known?.merged_into || known?.erased_at) throw new AppError('NOT_FOUND')
  if (known) return known
  if (!(await hasGuestRows(ctx, tx, eventId, guestId))) throw new AppError('NOT_FOUND')
  return saveGuest(tx, { eventId, guestId, name: null, email: null, now })
}

/** Returns whether a guest has given or submitted anything. */
export async function hasGuestRows(
  { guestBelongings }: WithGuests,
  tx: Tx,
  eventId: number,
  guestId: string,
): Promise<boolean> {
  for (const { hasRows } of guestBelongings) if (await hasRows?.(tx, eventId, guestId)) return true
  return false
}
