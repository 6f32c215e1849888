import type { EventRow } from '../events/event-rows.ts'
import { judgeNotArchived } from '../events/event-rules.ts'
import { Refusal } from '../platform/refusal.ts'
import type { House } from '../settings/house.ts'
import { dropRenditions } from './drop-renditions.ts'
import { announcePhoto } from './photo-announcements.ts'
import { originalKey, thumbnailKey } from './photo-files.ts'
import { changeTotals } from './photo-totals.ts'

/**
 * Removes the row and the derivatives; the original is retired, so that a running download ends whole, and set aside
 * by the sweep. Throws NOT_FOUND.
 */
export async function deletePhoto(house: House, event: EventRow, photoId: number): Promise<void> {
  const { db, clock, changes, storage, settings } = house
  judgeNotArchived(event)
  const origin = await settings.linkOrigin()
  const { deleted, renditions } = await db.transaction().execute(async (tx) => {
    const renditions = await dropRenditions(tx, photoId)
    const deleted = await tx
      .deleteFrom('photos')
      .where('id', '=', photoId)
      .where('event_id', '=', event.id)
      .returningAll()
      .executeTakeFirst()
    if (!deleted) throw new Refusal('NOT_FOUND')
    await changeTotals(tx, event.id, {
      photos: -1,
      visible: deleted.visibility === 'visible' ? -1 : 0,
      bytes: -deleted.size_bytes,
    })
    await tx
      .insertInto('retired_files')
      .values({ key: originalKey(event.id, deleted.filename), retired_at: clock.now() })
      .execute()
    await announcePhoto(tx, 'photo.deleted', { event, photo: deleted, origin, now: clock.now() })
    return { deleted, renditions }
  })
  changes.tell('photo', photoId)
  if (deleted.thumbnail_filename) await storage.remove(thumbnailKey(event.id, deleted.thumbnail_filename))
  for (const key of renditions) await storage.remove(key)
}
