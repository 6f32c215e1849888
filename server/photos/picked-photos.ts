import type { Database, Tx } from '../platform/database/tables.ts'

export type PickedPhoto = { id: number; source_filename: string }

/** More would be too many parameters of one query. */
const idsAtOnce = 500

/** From so many stars on a photo is liked. */
const fewestStars = 4

/**
 * What a guest has picked of the photos that guests may see, in the order of the lists: the favourites. Whoever has none
 * has picked what they like, by a heart or by at least four stars. Colours mean what the people involved have agreed on,
 * so none of them is a pick.
 */
export const pickedPhotos = async (db: Database | Tx, eventId: number, guestId: string): Promise<PickedPhoto[]> =>
  (await picksByGuest(db, eventId, [guestId])).get(guestId) ?? []

/** Who has picked each photo that anybody has, in the order of the guests. */
export async function pickersByPhoto(
  db: Database,
  eventId: number,
  guestIds: readonly string[],
): Promise<Map<number, string[]>> {
  const pickers = new Map<number, string[]>()
  for (let start = 0; start < guestIds.length; start += idsAtOnce) {
    const some = guestIds.slice(start, start + idsAtOnce)
    const picks = await picksByGuest(db, eventId, some)
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

/** At most `idsAtOnce` guests; whoever has picked nothing is not among them. */
async function picksByGuest(
  db: Database | Tx,
  eventId: number,
  guestIds: readonly string[],
): Promise<Map<string, PickedPhoto[]>> {
  const rows = await db
    .selectFrom('feedback')
    .innerJoin('photos', 'photos.id', 'feedback.photo_id')
    .select(['feedback.guest_id', 'feedback.kind', 'photos.id', 'photos.source_filename'])
    .where('feedback.event_id', '=', eventId)
    .where('feedback.guest_id', 'in', guestIds)
    .where('photos.visibility', '=', 'visible')
    .where((where) =>
      where.or([where('feedback.kind', 'in', ['favorite', 'like']), where('feedback.rating', '>=', fewestStars)]),
    )
    .orderBy('photos.uploaded_at')
    .orderBy('photos.id')
    .execute()
  const picks = [...Map.groupBy(rows, ({ guest_id }) => guest_id)].map(([guestId, own]): [string, PickedPhoto[]] => {
    const favorites = own.filter(({ kind }) => kind === 'favorite')
    const chosen = favorites.length > 0 ? favorites : own
    // Liked and given stars, a photo stands there twice.
    const photos = new Map(chosen.map(({ id, source_filename }) => [id, { id, source_filename }]))
    return [guestId, [...photos.values()]]
  })
  return new Map(picks)
}

/** Whoever may have picked something in an event. */
export async function mayHavePicked(db: Database, eventId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('feedback')
    .select('guest_id')
    .distinct()
    .where('event_id', '=', eventId)
    .where('kind', 'in', ['favorite', 'like', 'rating'])
    .execute()
  return rows.map(({ guest_id }) => guest_id)
}

/**
 * The photos that are picked since those were handed in, or picked no longer. What the photographer has hidden or deleted
 * since is no change of the guest's.
 */
export async function changedPicks(
  db: Database,
  eventId: number,
  { sent, picked }: { sent: readonly number[]; picked: readonly number[] },
): Promise<number[]> {
  const [before, now] = [new Set(sent), new Set(picked)]
  const dropped = await visibleAmong(
    db,
    eventId,
    sent.filter((id) => !now.has(id)),
  )
  return [...picked.filter((id) => !before.has(id)), ...dropped]
}

/** Of these photos those that guests of the event still see, in the same order. */
async function visibleAmong(db: Database, eventId: number, ids: readonly number[]): Promise<number[]> {
  const visible = new Set<number>()
  for (let start = 0; start < ids.length; start += idsAtOnce) {
    const rows = await db
      .selectFrom('photos')
      .select('id')
      .where('event_id', '=', eventId)
      .where('id', 'in', ids.slice(start, start + idsAtOnce))
      .where('visibility', '=', 'visible')
      .execute()
    for (const { id } of rows) visible.add(id)
  }
  return ids.filter((id) => visible.has(id))
}
