import type { Tx } from '../platform/database/tables.ts'

/**
 * Photos that these guests have uploaded no longer name them, also those in the trash. Returns how many there were. After the commit, the calling
 * function must call `changes.notify('photo', null)`.
 */
export async function clearUploader(tx: Tx, eventId: number, guestIds: readonly string[]): Promise<number> {
  let count = 0
  for (const table of ['photos', 'trashed_photos'] as const) {
    const cleared = await tx
      .updateTable(table)
      .set({ guest_id: null })
      .where('event_id', '=', eventId)
      .where('guest_id', 'in', guestIds)
      .returning('id')
      .execute()
    count += cleared.length
  }
  return count
}
