import type { EventRow } from '../../events/event-rows.ts'
import type { Database } from '../../platform/database/tables.ts'

/** Returns the guests whose latest selections have each photo, by photo id. */
export async function listChoosers(db: Database, eventId: number): Promise<Map<number, string[]>> {
  const rows = await db
    .selectFrom('selections')
    .select(['guest_id', 'photo_ids'])
    .where('id', 'in', (latest) =>
      latest
        .selectFrom('selections as sent')
        .select(({ fn }) => fn.max('sent.id').as('id'))
        .where('sent.event_id', '=', eventId)
        .where('sent.guest_id', 'is not', null)
        .groupBy('sent.guest_id'),
    )
    .orderBy('id')
    .execute()
  const choosers = new Map<number, string[]>()
  for (const { guest_id, photo_ids } of rows) {
    if (guest_id === null) continue
    for (const id of JSON.parse(photo_ids) as number[]) choosers.set(id, [...(choosers.get(id) ?? []), guest_id])
  }
  return choosers
}

/** Without a package any guest decides, otherwise those whose latest selection has the photo. */
export async function canDecide(db: Database, event: EventRow, photoId: number, guestId: string): Promise<boolean> {
  if (event.has_package === 0) return true
  return (await listChoosers(db, event.id)).get(photoId)?.includes(guestId) === true
}
