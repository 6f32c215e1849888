import type { PhotoTable } from '../photos/photo-rows.ts'
import type { LocationPatches } from '../platform/media/location/find-location.ts'

/** The columns that depend on the file. */
export type FileColumns = Pick<
  PhotoTable,
  | 'filename'
  | 'original_filename'
  | 'search_text'
  | 'media_type'
  | 'mime_type'
  | 'size_bytes'
  | 'content_hash'
  | 'crc32'
  | 'width'
  | 'height'
  | 'duration'
  | 'captured_at'
  | 'thumbhash'
  | 'thumbnail_filename'
  | 'thumbnail_size_bytes'
  | 'thumbnail_sha256'
  | 'still_filename'
  | 'still_size_bytes'
  | 'processing_status'
  | 'processing_error'
>

export type RecordFile<T> = (stored: FileColumns, location: LocationPatches | null) => Promise<T>
