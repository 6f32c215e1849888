import { isVisibleToGuests, visibleToGuests } from '../events/visible-photos.ts'
import type { PhotoRow } from '../photos/photo-rows.ts'
import type { Database } from '../platform/database/tables.ts'

export type PickedPhoto = Pick<PhotoRow, 'id' | 'source_filename' | 'media_type'>

/** Limits the SQL parameters of one query. */
const idsPerQuery = 500

const minStars = 4

/**
 * Returns what a guest would submit: the visible favorites or, without any and without a package, visible photos with a
 * like or at least four stars. Color labels have no fixed meaning, so they do not count.
 */
export const listPickedPhotos = async (db: Database, eventId: number, guestId: string): Promise<PickedPhoto[]> =>
  ((await listPicksByGuest(db, eventId, [guestId])).get(guestId) ?? []).filter(isVisibleToGuests)

/**
 * Returns the guests who picked each photo, by photo id and in the order of `guestIds`, also for photos that an operator has
 * hidden since.
 */
export async function listPickersByPhoto(
  db: Database,
  eventId: number,
  guestIds: readonly string[],
): Promise<Map<number, string[]>> {
  const pickers = new Map<number, string[]>()
  for (let start = 0; start < guestIds.length; start += idsPerQuery) {
    const some = guestIds.slice(start, start + idsPerQuery)
    const picks = await listPicksByGuest(db, eventId, some)
    for (const guestId of some) {
      for (const { id } of picks.get(guestId) ?? []) {
        const ofPhoto = pickers.get(id)
        if (ofPhoto) ofPhoto.push(guestId)
        else pickers.set(id, [guestId])
      }
    }
  }
  return pickers
}

/** With hidden photos. `guestIds` must have at most `idsPerQuery` entries. */
async function listPicksByGuest(
  db: Database,
  eventId: number,
  guestIds: readonly string[],
): Promise<Map<string, Array<PickedPhoto & Pick<PhotoRow, 'visibility'>>>> {
  const rows = await db
    .selectFrom('feedback')
    .innerJoin('photos', 'photos.id', 'feedback.photo_id')
    .leftJoin('packages', 'packages.event_id', 'feedback.event_id')
    .select(['feedback.guest_id', 'feedback.kind', 'packages.event_id as package_of'])
    .select(['photos.id', 'photos.source_filename', 'photos.media_type', 'photos.visibility'])
    .where('feedback.event_id', '=', eventId)
    .where('feedback.guest_id', 'in', guestIds)
    .where((where) =>
      where.or([where('feedback.kind', 'in', ['favorite', 'like']), where('feedback.rating', '>=', minStars)]),
    )
    .orderBy('photos.uploaded_at')
    .orderBy('photos.id')
    .execute()
  return new Map(
    Array.from(
      Map.groupBy(rows, ({ guest_id }) => guest_id),
      ([guestId, own]) => {
        const favorites = own.filter(({ kind }) => kind === 'favorite')
        // Hidden favorites do not decide what the guest would submit.
        const hasPackage = own.some(({ package_of }) => package_of !== null)
        const chosen = hasPackage || favorites.some(isVisibleToGuests) ? favorites : own
        // A photo with a like and a rating has two rows.
        return [guestId, [...new Map(chosen.map((photo) => [photo.id, photo])).values()]]
      },
    ),
  )
}

export async function listPossiblePickers(db: Database, eventId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('feedback')
    .select('guest_id')
    .distinct()
    .where('event_id', '=', eventId)
    .where('kind', 'in', ['favorite', 'like', 'rating'])
    .execute()
  return rows.map(({ guest_id }) => guest_id)
}

/** Returns the ids that are in only one of the two lists, without photos that are now hidden or deleted. */
export async function listChangedPicks(
  db: Database,
  eventId: number,
  { sent, picked }: { sent: readonly number[]; picked: readonly number[] },
): Promise<number[]> {
  const [before, now] = [new Set(sent), new Set(picked)]
  const added = picked.filter((id) => !before.has(id))
  const dropped = sent.filter((id) => !now.has(id))
  return filterVisible(db, eventId, [...added, ...dropped])
}

async function filterVisible(db: Database, eventId: number, ids: readonly number[]): Promise<number[]> {
  const visible = new Set<number>()
  for (let start = 0; start < ids.length; start += idsPerQuery) {
    const rows = await db
      .selectFrom('photos')
      .select('id')
      .where('event_id', '=', eventId)
      .where('id', 'in', ids.slice(start, start + idsPerQuery))
      .where(visibleToGuests())
      .execute()
    for (const { id } of rows) visible.add(id)
  }
  return ids.filter((id) => visible.has(id))
}
