import { type Generated, type Selectable, sql } from 'kysely'
import type { PhotoType } from '../../contract/photos.ts'
import { byKey } from '../platform/database/short-read.ts'
import type { Database, Flag } from '../platform/database/tables.ts'
import { AppError } from '../platform/errors/app-error.ts'

/** The columns that depend on the stored file. */
export type FileColumns = {
  filename: string
  original_filename: string
  /** The result of `createSearchText`. */
  search_text: string
  media_type: 'image' | 'video'
  mime_type: string
  size_bytes: number
  content_hash: string
  crc32: number
  width: number | null
  height: number | null
  duration: number | null
  captured_at: number | null
  thumbhash: string | null
  thumbnail_filename: string | null
  thumbnail_size_bytes: number | null
  thumbnail_sha256: string | null
  /**
   * A JPEG that is shown for a video, or for an image that the service and browsers cannot decode. Null for other
   * images, and for videos without a still.
   */
  still_filename: string | null
  still_size_bytes: number | null
  /** The checksums of the still of an image; null for videos. */
  still_crc32: number | null
  still_sha256: string | null
  processing_status: 'ready' | 'processing' | 'failed'
  processing_error: string | null
}

export type PhotoTable = FileColumns & {
  id: Generated<number>
  event_id: number
  source_filename: string
  /** The result of `createNameSortKey` for `source_filename`. */
  name_sort: string
  type: PhotoType | null
  category_id: number | null
  auto_categorized: Flag
  visibility: 'visible' | 'hidden'
  /** 1: a hidden upload of a guest that no operator has shown or hidden yet. */
  awaits_review: Generated<Flag>
  uploaded_at: number
  uploaded_by: 'admin' | 'api' | 'guest' | 'import'
  /** The guest who uploaded the photo, maybe merged into another since. Null for uploads before this column existed. */
  guest_id: Generated<string | null>
  /** The place in the order by hand, see `move-photos.ts`. Null: after all photos that have a place. */
  manual_position: Generated<number | null>
  updated_at: number
}

/** One row per event that ever had a photo. The transactions that change photos update it. */
export type EventPhotoTotalsTable = {
  event_id: number
  photo_count: number
  visible_count: number
  total_size: number
  /** Grows with each change of the photos, except for feedback. Starts at the time of the first photo. */
  list_version: number
}

/**
 * Originals, and stills of images, of deleted photos and of replaced files. `sweepStorage` quarantines them after an hour, so that running
 * downloads can finish.
 */
export type RetiredFileTable = { key: string; retired_at: number }

/** The earlier file of a replaced photo. The row is deleted when the storage no longer keeps the file. */
export type ReplacedFileTable = {
  key: string
  event_id: number
  photo_id: number
  original_filename: string
  size_bytes: number
  content_hash: string | null
  replaced_at: number
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    photos: PhotoTable
    event_photo_totals: EventPhotoTotalsTable
    retired_files: RetiredFileTable
    replaced_files: ReplacedFileTable
  }
}

export type PhotoRow = Selectable<PhotoTable>

/** Returns undefined for an unknown photo and for a photo of another event. */
export const findPhoto = (db: Database, eventId: number, photoId: number): Promise<PhotoRow | undefined> =>
  db
    .selectFrom('photos')
    .selectAll()
    .where('id', '=', photoId)
    .where('event_id', '=', eventId)
    .modifyEnd(byKey)
    .executeTakeFirst()

/** Throws NOT_FOUND for an unknown photo or a photo of another event. */
export async function getPhoto(db: Database, eventId: number, photoId: number): Promise<PhotoRow> {
  const photo = await findPhoto(db, eventId, photoId)
  if (!photo) throw new AppError('NOT_FOUND')
  return photo
}

/** Returns those ids that are photos of the event. */
export async function findIdsOfEvent(db: Database, eventId: number, ids: readonly number[]): Promise<number[]> {
  const found = db.selectFrom('photos').select('id').where('id', 'in', ids).where('event_id', '=', eventId)
  return (await found.execute()).map(({ id }) => id)
}

/** A query condition: the photo comes later in upload order, which is `uploaded_at`, then `id`. */
export const isUploadedAfter = ({ uploaded_at, id }: Pick<PhotoRow, 'uploaded_at' | 'id'>) =>
  sql<boolean>`(photos.uploaded_at, photos.id) > (${uploaded_at}, ${id})`
