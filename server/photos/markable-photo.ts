import { assertNotArchived } from '../events/event-rules.ts'
import type { MarkedPhoto } from '../feedback/mark-rows.ts'
import { AppError } from '../platform/app-error.ts'
import type { Tx } from '../platform/database/tables.ts'

/** Throws NOT_FOUND, EVENT_ARCHIVED. */
export async function getMarkablePhoto(tx: Tx, eventId: number, photoId: number): Promise<MarkedPhoto> {
  const photo = await tx
    .selectFrom('photos')
    .innerJoin('events', 'events.id', 'photos.event_id')
    .select(['photos.id', 'photos.event_id', 'photos.uploaded_at', 'events.is_archived'])
    .where('photos.id', '=', photoId)
    .where('photos.event_id', '=', eventId)
    .executeTakeFirst()
  if (!photo) throw new AppError('NOT_FOUND')
  assertNotArchived(photo)
  return photo
}
