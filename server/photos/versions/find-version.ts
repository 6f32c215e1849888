import type { Database } from '../../platform/database/tables.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PhotoToRender } from '../renditions/render-photo.ts'
import { findEarlierVersion, getCurrentNumber } from './version-rows.ts'

/**
 * Returns the photo as it was in a version, or `photo` itself if this is the current one. Throws NOT_FOUND for an unknown
 * version and for one whose file was deleted.
 */
export async function getVersion<Photo extends PhotoToRender>(
  db: Database,
  photo: Photo,
  number: number,
): Promise<Photo | PhotoToRender> {
  const earlier = await findEarlierVersion(db, { eventId: photo.event_id, photoId: photo.id, number })
  if (earlier) return { ...earlier, id: photo.id, processing_status: 'ready' }
  if ((await getCurrentNumber(db, photo.id)) !== number) throw new AppError('NOT_FOUND')
  return photo
}
