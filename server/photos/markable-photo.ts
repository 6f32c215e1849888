import { getChangeableEvent } from '../events/changeable-event.ts'
import { AppError } from '../platform/app-error.ts'
import type { Tx } from '../platform/database/tables.ts'
import type { MarkedPhoto } from '../proofing/mark-rows.ts'
import { findPhoto } from './photo-rows.ts'

/** Throws NOT_FOUND, EVENT_ARCHIVED. */
export async function getMarkablePhoto(tx: Tx, eventId: number, photoId: number): Promise<MarkedPhoto> {
  const photo = await findPhoto(tx, eventId, photoId)
  if (!photo) throw new AppError('NOT_FOUND')
  await getChangeableEvent(tx, eventId)
  return photo
}
