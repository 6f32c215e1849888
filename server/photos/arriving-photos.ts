import type { Insertable, Selectable } from 'kysely'
import { runTogether } from '../platform/database/compile-once.ts'
import type { Database, Tx } from '../platform/database/tables.ts'
import type { LocationChange } from '../platform/media/image-tasks.ts'
import { locationRow, storeLocation } from './location-rows.ts'
import type { PhotoRow, PhotoTable } from './photo-rows.ts'

/**
 * The columns of `photos`, of photos whose files are stored and whose event does not exist yet. `id` is that of the source.
 */
export type ArrivingPhotoTable = Selectable<PhotoTable> & {
  /** JSON: what `recordLocation` will store. */
  location: string | null
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    arriving_photos: ArrivingPhotoTable
  }
}

export type ArrivingPhoto = Omit<PhotoRow, 'id' | 'awaits_review' | 'guest_id' | 'manual_position'>

/** Records a stored photo. Its category and its guest are set when it moves in. */
export async function recordArrival(
  db: Database,
  id: number,
  photo: ArrivingPhoto,
  location: LocationChange | null,
): Promise<void> {
  const unset = { awaits_review: 0, guest_id: null, manual_position: null } as const
  const row = { ...photo, ...unset, id, location: location && JSON.stringify(location) }
  await db.insertInto('arriving_photos').values(row).execute()
}

export async function listArrivedIds(db: Database, eventId: number): Promise<Set<number>> {
  const rows = await db.selectFrom('arriving_photos').select('id').where('event_id', '=', eventId).execute()
  return new Set(rows.map(({ id }) => id))
}

const photosPerInsert = 200

/** What the import knows only when the event exists. */
export type Placement = { category_id: number | null; guest_id: string | null }

/** Moves the photos into `photos`. Returns the new rows by source id. The calling function counts them and queues the videos. */
export async function moveIn(
  tx: Tx,
  eventId: number,
  { keepsId, place }: { keepsId: (sourceId: number) => boolean; place: (sourceId: number) => Placement },
): Promise<Map<number, PhotoRow>> {
  const moved = new Map<number, PhotoRow>()
  for (;;) {
    const arrived = await tx
      .selectFrom('arriving_photos')
      .selectAll()
      .where('event_id', '=', eventId)
      .orderBy('id')
      .limit(photosPerInsert)
      .execute()
    if (arrived.length === 0) return moved
    const sourceIds = new Map(arrived.map(({ filename, id }) => [filename, id]))
    const kept = await findFreeIds(tx, [...sourceIds.values()].filter(keepsId))
    const rows = arrived.map(({ location: _location, id, ...photo }) => ({ ...photo, ...place(id), id }))
    const inserted = await insertPhotos(tx, rows, kept)
    const locations = new Map(arrived.map(({ filename, location }) => [filename, location]))
    for (const photo of inserted) {
      const location = locations.get(photo.filename)
      await runTogether(tx, [storeLocation(tx, locationRow(photo, location ? JSON.parse(location) : null))])
      moved.set(Number(sourceIds.get(photo.filename)), photo)
    }
    await tx
      .deleteFrom('arriving_photos')
      .where('event_id', '=', eventId)
      .where('id', 'in', [...sourceIds.values()])
      .execute()
  }
}

async function findFreeIds(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  const select = (table: 'photos' | 'trashed_photos') => tx.selectFrom(table).select('id').where('id', 'in', ids)
  const taken = await select('photos').unionAll(select('trashed_photos')).execute()
  const free = new Set(ids)
  for (const { id } of taken) free.delete(id)
  return free
}

/** Photos whose id is not kept get new ids. */
async function insertPhotos(
  tx: Tx,
  rows: ReadonlyArray<Insertable<PhotoTable> & { id: number }>,
  kept: ReadonlySet<number>,
): Promise<PhotoRow[]> {
  const withId = rows.filter(({ id }) => kept.has(id))
  const withoutId = rows.filter(({ id }) => !kept.has(id)).map(({ id: _id, ...row }) => row)
  const insert = (values: Array<Insertable<PhotoTable>>) =>
    values.length === 0 ? [] : tx.insertInto('photos').values(values).returningAll().execute()
  return [...(await insert(withId)), ...(await insert(withoutId))]
}
