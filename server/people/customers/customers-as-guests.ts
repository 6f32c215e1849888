import { randomUUID } from 'node:crypto'
import type { GuestBelongings } from '../../settings/belongings.ts'

/** A customer who was one of the erased guests gets a new guest id in the event. */
export const customersAsGuests: GuestBelongings = {
  tables: ['customer_events'],
  async erase(tx, { eventId, guestIds }) {
    for (const guestId of guestIds) {
      await tx
        .updateTable('customer_events')
        .set({ guest_id: randomUUID() })
        .where('event_id', '=', eventId)
        .where('guest_id', '=', guestId)
        .execute()
    }
    return { counts: {}, afterCommit: ({ changes }) => changes.notify('customer', null) }
  },
}
