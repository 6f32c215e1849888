import type { OwnSelection } from '../../contract/gallery/selections.ts'
import type { GalleryAccessContext } from '../gallery-access/gallery-access-context.ts'
import type { OpenGallery } from '../gallery-access/open-gallery-request.ts'
import { isBeforeReveal } from '../gallery-access/viewing-rules.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { isoTime, isoTimeOrNull } from '../platform/time/clock.ts'
import { listChangedPicks, listPickedPhotos } from './picked-photos.ts'
import { findLastSelection } from './selection-rows.ts'

/**
 * Returns null for an operator or a guest without a selection. Photos that an operator has hidden or deleted since do
 * not count as changed picks. Throws NOT_FOUND before the reveal.
 */
export async function loadOwnSelection(
  { db, clock }: GalleryAccessContext,
  { event, viewer }: OpenGallery,
): Promise<OwnSelection | null> {
  if (viewer.kind !== 'guest') return null
  if (isBeforeReveal(event, clock.now())) throw new AppError('NOT_FOUND')
  const { guestId } = viewer.guest
  const last = await findLastSelection(db, event.id, guestId)
  if (!last) return null
  const sent: number[] = JSON.parse(last.photo_ids)
  const picked = (await listPickedPhotos(db, event.id, guestId)).map(({ id }) => id)
  return {
    number: last.number,
    count: last.photo_count,
    created_at: isoTime(last.created_at),
    notified_at: isoTimeOrNull(last.notified_at),
    changed_photo_ids: await listChangedPicks(db, event.id, { sent, picked }),
  }
}
