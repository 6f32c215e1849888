import type { EventRow } from '../../events/event-rows.ts'
import type { Database } from '../../platform/database/tables.ts'

type Sent = { id: number; guest_id: string; photoIds: number[] }

/** Yields the latest selection of each guest. Only one is in memory at a time, because each can have very many photos. */
export async function* listLatestSelections(db: Database, eventId: number): AsyncGenerator<Sent, void> {
  const latest = await db
    .selectFrom('selections')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('event_id', '=', eventId)
    .where('guest_id', 'is not', null)
    .groupBy('guest_id')
    .execute()
  for (const { id } of latest.sort((a, b) => a.id - b.id)) {
    const query = db.selectFrom('selections').select(['guest_id', 'photo_ids']).where('id', '=', id)
    const { guest_id, photo_ids } = await query.executeTakeFirstOrThrow()
    if (guest_id !== null) yield { id, guest_id, photoIds: JSON.parse(photo_ids) }
  }
}

/** Returns the guests whose latest selections have each photo, by photo id. */
export async function listChoosers(db: Database, eventId: number): Promise<Map<number, string[]>> {
  const choosers = new Map<number, string[]>()
  for await (const { guest_id, photoIds } of listLatestSelections(db, eventId)) {
    for (const id of photoIds) {
      const ofPhoto = choosers.get(id)
      if (ofPhoto) ofPhoto.push(guest_id)
      else choosers.set(id, [guest_id])
    }
  }
  return choosers
}

/** Without a package any guest decides, otherwise those whose latest selection has the photo. */
export async function canDecide(
  db: Database,
  { id: eventId, has_package }: EventRow,
  photoId: number,
  guestId: string,
): Promise<boolean> {
  if (has_package === 0) return true
  const sent = db.selectFrom('selections').select('photo_ids').where('event_id', '=', eventId)
  const latest = await sent.where('guest_id', '=', guestId).orderBy('id', 'desc').limit(1).executeTakeFirst()
  return latest !== undefined && (JSON.parse(latest.photo_ids) as number[]).includes(photoId)
}
