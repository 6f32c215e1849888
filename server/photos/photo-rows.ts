import type { Generated, Selectable } from 'kysely'
import type { PhotoType } from '../../contract/photos.ts'
import type { Database, Flag } from '../platform/database/tables.ts'

export type PhotoTable = {
  id: Generated<number>
  event_id: number
  /** The stored original, under `originalKey`. */
  filename: string
  original_filename: string
  source_filename: string
  /** `nameSortOf` the source_filename: lists by name are in its order. */
  name_sort: string
  /** `searchTextOf` the two names that a file decides. */
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
  /** The picture that stands for a video, under `stillKey`; of a photo the original is that. */
  still_filename: string | null
  still_size_bytes: number | null
  type: PhotoType | null
  category_id: number | null
  auto_categorized: Flag
  visibility: 'visible' | 'hidden'
  processing_status: 'ready' | 'processing' | 'failed'
  processing_error: string | null
  uploaded_at: number
  uploaded_by: 'admin' | 'api' | 'guest' | 'import'
  updated_at: number
}

/** One row per event that ever had a photo, kept in the transactions that change photos. */
export type EventPhotoTotalsTable = {
  event_id: number
  photo_count: number
  visible_count: number
  total_size: number
}

/** Originals that no row names any more; the sweep sets them aside after an hour, so that running downloads end whole. */
export type RetiredFileTable = { key: string; retired_at: number }

declare module '../platform/database/tables.ts' {
  interface Tables {
    photos: PhotoTable
    event_photo_totals: EventPhotoTotalsTable
    retired_files: RetiredFileTable
  }
}

export type PhotoRow = Selectable<PhotoTable>

/** The one photo, only when it is of this event. */
export const findPhoto = (db: Database, eventId: number, photoId: number): Promise<PhotoRow | undefined> =>
  db.selectFrom('photos').selectAll().where('id', '=', photoId).where('event_id', '=', eventId).executeTakeFirst()
