import type { GuestBelongings } from '../settings/belongings.ts'

/** Photos that erased guests have uploaded no longer name them, also those in the trash. */
export const photosOfGuests: GuestBelongings = {
  tables: ['photos', 'trashed_photos', 'arriving_photos'],
  async erase(tx, { eventId, guestIds }) {
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
    return { counts: { photos: count }, afterCommit: ({ changes }) => changes.notify('photo', null) }
  },
}
