import type { EventRow } from '../events/event-rows.ts'
import { judgeNotArchived } from '../events/event-rules.ts'
import { Refusal } from '../platform/refusal.ts'
import type { House } from '../settings/house.ts'
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
  const deleted = await db.transaction().execute(async (tx) => {
    const photo = await tx
      .deleteFrom('photos')
      .where('id', '=', photoId)
      .where('event_id', '=', event.id)
      .returningAll()
      .executeTakeFirst()
    if (!photo) throw new Refusal('NOT_FOUND')
    await changeTotals(tx, event.id, {
      photos: -1,
      visible: photo.visibility === 'visible' ? -1 : 0,
      bytes: -photo.size_bytes,
    })
    await tx
      .insertInto('retired_files')
      .values({ key: originalKey(event.id, photo.filename), retired_at: clock.now() })
      .execute()
    await announcePhoto(tx, 'photo.deleted', { event, photo, origin, now: clock.now() })
    return photo
  })
  changes.tell('photo', photoId)
  if (deleted.thumbnail_filename) await storage.remove(thumbnailKey(event.id, deleted.thumbnail_filename))
}
