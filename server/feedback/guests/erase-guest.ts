import type { ErasedGuest } from '../../../contract/gallery/guests.ts'
import { clearGuests, listMergedInto } from '../../events/guests/guest-rows.ts'
import { recordLiveEvent } from '../../events/live/live-event-rows.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { AppContext } from '../../settings/app-context.ts'
import type { Erasure, GuestErasure } from '../../settings/belongings.ts'
import { getOrCreateGuest } from './merge-guests.ts'

const nothing: ErasedGuest = {
  ratings: 0,
  color_labels: 0,
  likes: 0,
  favorites: 0,
  comments: 0,
  notes: 0,
  selections: 0,
  photos: 0,
  uploads: 0,
  links: 0,
  mails: 0,
  webhook_deliveries: 0,
  exports: 0,
}

function addCounts(erasures: readonly Erasure[]): ErasedGuest {
  const total = { ...nothing }
  for (const { counts } of erasures) {
    for (const [key, count] of Object.entries(counts)) total[key as keyof ErasedGuest] += count
  }
  return total
}

/**
 * Erases a guest of an event, with all guests merged into it, for good. Selections stay without their guest. Also works
 * in archived events. Throws NOT_FOUND for an unknown, merged or erased guest.
 */
export async function eraseGuest(ctx: AppContext, eventId: number, guestId: string): Promise<ErasedGuest> {
  const { db, clock, changes, guestBelongings } = ctx
  // Runs alone, so that no other transaction, such as a replay of a delivery, copies data of the guest meanwhile.
  const erasures = await inTransaction(db, 'everything', async (tx) => {
    const now = clock.now()
    await getOrCreateGuest(ctx, tx, { eventId, guestId, now })
    const erasure: GuestErasure = { eventId, guestIds: [guestId, ...(await listMergedInto(tx, guestId))], now }
    const done: Erasure[] = []
    for (const belongings of guestBelongings) done.push(await belongings.erase(tx, erasure))
    await clearGuests(tx, erasure.guestIds, now)
    await recordLiveEvent(tx, { event_id: eventId, type: 'guest', data: { did: 'erased' } }, now)
    return done
  })
  changes.notify('guest', eventId)
  changes.notify('live', eventId)
  for (const { afterCommit } of erasures) await afterCommit?.(ctx)
  return addCounts(erasures)
}
