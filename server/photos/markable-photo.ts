import { getChangeableEvent } from '../events/get-changeable-event.ts'
import type { MarkedPhoto } from '../feedback/mark-rows.ts'
import type { Tx } from '../platform/database/tables.ts'
import { getPhoto } from './photo-rows.ts'

/** Throws NOT_FOUND, EVENT_ARCHIVED. */
export async function getMarkablePhoto(tx: Tx, eventId: number, photoId: number): Promise<MarkedPhoto> {
  const photo = await getPhoto(tx, eventId, photoId)
  await getChangeableEvent(tx, eventId)
  return photo
}
