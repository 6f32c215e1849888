import { getChangeableEvent } from '../events/get-changeable-event.ts'
import type { MarkedPhoto } from '../feedback/mark-rows.ts'
import { AppError } from '../platform/app-error.ts'
import type { Tx } from '../platform/database/tables.ts'
import { findPhoto } from './photo-rows.ts'

/** Throws NOT_FOUND, EVENT_ARCHIVED. */
export async function getMarkablePhoto(tx: Tx, eventId: number, photoId: number): Promise<MarkedPhoto> {
  const photo = await findPhoto(tx, eventId, photoId)
  if (!photo) throw new AppError('NOT_FOUND')
  await getChangeableEvent(tx, eventId)
  return photo
}
