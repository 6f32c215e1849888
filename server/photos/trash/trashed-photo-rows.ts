import type { Selectable } from 'kysely'
import { restoreMarks, trashMarks } from '../../feedback/marks/trashed-marks.ts'
import type { Database, Tx } from '../../platform/database/tables.ts'
import type { PhotoRow, PhotoTable } from '../photo-rows.ts'

/** The columns of `photos`. */
export type TrashedPhotoTable = Selectable<PhotoTable> & { trashed_at: number }

declare module '../../platform/database/tables.ts' {
  interface Tables {
    trashed_photos: TrashedPhotoTable
  }
}

export type TrashedPhotoRow = Selectable<TrashedPhotoTable>

/** Lists every column, so that a new column of `photos` does not compile until `trashed_photos` has it too. */
const movedColumns = Object.keys({
  id: true,
  event_id: true,
  filename: true,
  original_filename: true,
  source_filename: true,
  name_sort: true,
  search_text: true,
  media_type: true,
  mime_type: true,
  size_bytes: true,
  content_hash: true,
  crc32: true,
  width: true,
  height: true,
  duration: true,
  captured_at: true,
  thumbhash: true,
  thumbnail_filename: true,
  thumbnail_size_bytes: true,
  thumbnail_sha256: true,
  still_filename: true,
  still_size_bytes: true,
  still_crc32: true,
  still_sha256: true,
  type: true,
  category_id: true,
  auto_categorized: true,
  visibility: true,
  awaits_review: true,
  processing_status: true,
  processing_error: true,
  uploaded_at: true,
  uploaded_by: true,
  guest_id: true,
  manual_position: true,
  updated_at: true,
} satisfies Record<keyof PhotoRow, true>) as Array<keyof PhotoRow>

type PhotosOfEvent = { eventId: number; ids: readonly number[] }

/** Moves the rows with their marks, and returns the photos. */
export async function moveRowsToTrash(tx: Tx, ids: readonly number[], now: number): Promise<PhotoRow[]> {
  await tx
    .insertInto('trashed_photos')
    .columns([...movedColumns, 'trashed_at'])
    .expression((from) =>
      from
        .selectFrom('photos')
        .select(movedColumns)
        .select((photo) => photo.cast<number>(photo.val(now), 'bigint').as('trashed_at'))
        .where('id', 'in', ids),
    )
    .execute()
  await trashMarks(tx, ids)
  return tx.deleteFrom('photos').where('id', 'in', ids).returningAll().execute()
}

/** Moves the rows back with their marks, as updated now. Returns the photos; ids that are not in the trash of the event are left out. */
export async function moveRowsBack(tx: Tx, { eventId, ids }: PhotosOfEvent, now: number): Promise<PhotoRow[]> {
  const restored = await tx
    .insertInto('photos')
    .columns(movedColumns)
    .expression((from) =>
      from.selectFrom('trashed_photos').select(movedColumns).where('id', 'in', ids).where('event_id', '=', eventId),
    )
    .returning('id')
    .execute()
  const restoredIds = restored.map(({ id }) => id)
  if (restoredIds.length === 0) return []
  const touched = tx.updateTable('photos').set({ updated_at: now }).where('id', 'in', restoredIds)
  const photos = await touched.returningAll().execute()
  await restoreMarks(tx, restoredIds)
  await tx.deleteFrom('trashed_photos').where('id', 'in', restoredIds).execute()
  return photos
}

/** Deletes the rows with their marks, and returns them. */
export const deleteTrashedRows = (tx: Tx, { eventId, ids }: PhotosOfEvent): Promise<TrashedPhotoRow[]> =>
  tx.deleteFrom('trashed_photos').where('id', 'in', ids).where('event_id', '=', eventId).returningAll().execute()

/** Returns undefined for a photo that is not in the trash of the event. */
export const findTrashedPhoto = (db: Database, eventId: number, photoId: number) =>
  db
    .selectFrom('trashed_photos')
    .selectAll()
    .where('id', '=', photoId)
    .where('event_id', '=', eventId)
    .executeTakeFirst()
