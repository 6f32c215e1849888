import type { Database, Tx } from '../platform/database/tables.ts'

export type PickedPhoto = { id: number; source_filename: string }

/** From so many stars on a photo is liked. */
const fewestStars = 4

/**
 * What a guest has picked of the photos that guests may see, in the order of the lists: the favourites. Whoever has none
 * has picked what they like, by a heart or by at least four stars. Colours mean what the people involved have agreed on,
 * so none of them is a pick.
 */
export async function pickedPhotos(db: Database | Tx, eventId: number, guestId: string): Promise<PickedPhoto[]> {
  const marked = db
    .selectFrom('feedback')
    .innerJoin('photos', 'photos.id', 'feedback.photo_id')
    .select(['photos.id', 'photos.source_filename', 'photos.uploaded_at'])
    .distinct()
    .where('feedback.event_id', '=', eventId)
    .where('feedback.guest_id', '=', guestId)
    .where('photos.visibility', '=', 'visible')
    .orderBy('photos.uploaded_at')
    .orderBy('photos.id')
  const favorites = await marked.where('feedback.kind', '=', 'favorite').execute()
  if (favorites.length > 0) return favorites
  return marked
    .where((where) => where.or([where('feedback.kind', '=', 'like'), where('feedback.rating', '>=', fewestStars)]))
    .execute()
}
