import type { Tx } from '../platform/database/tables.ts'

/**
 * Photos that these guests have uploaded no longer name them. Returns how many there were. After the commit, the calling
 * function must call `changes.notify('photo', null)`.
 */
export async function clearUploader(tx: Tx, eventId: number, guestIds: readonly string[]): Promise<number> {
  const cleared = await tx
    .updateTable('photos')
    .set({ guest_id: null })
    .where('event_id', '=', eventId)
    .where('guest_id', 'in', guestIds)
    .returning('id')
    .execute()
  return cleared.length
}
