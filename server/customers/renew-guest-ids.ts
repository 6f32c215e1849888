import { randomUUID } from 'node:crypto'
import type { Tx } from '../platform/database/tables.ts'

/**
 * Gives customers who are one of the guests in an event a new guest id there. After the commit, the calling function
 * must call `changes.notify('customer', null)`.
 */
export async function renewGuestIds(tx: Tx, eventId: number, guestIds: readonly string[]): Promise<void> {
  for (const guestId of guestIds) {
    await tx
      .updateTable('customer_events')
      .set({ guest_id: randomUUID() })
      .where('event_id', '=', eventId)
      .where('guest_id', '=', guestId)
      .execute()
  }
}
