import type { MarkSource } from '../../contract/marks.ts'
import type { PhotoRecord } from '../../contract/photos.ts'
import { allMarks } from '../feedback/mark-joins.ts'
import { isoTime, isoTimeOrNull } from '../platform/clock.ts'
import type { ListedPhoto } from './listed-photos.ts'

/** `source`: whose marks are merged. */
export const photoRecord = (row: ListedPhoto, slug: string, source: MarkSource = 'either'): PhotoRecord => ({
  id: row.id,
  filename: row.filename,
  original_filename: row.original_filename,
  source_filename: row.source_filename,
  path: `${slug}/${row.filename}`,
  thumbnail_path: row.thumbnail_filename,
  size_bytes: row.size_bytes,
  type: row.type,
  category_id: row.category_id,
  category: row.category_name,
  width: row.width,
  height: row.height,
  visibility: row.visibility,
  ...allMarks(row, source),
  media_type: row.media_type,
  mime_type: row.mime_type,
  duration: row.duration,
  captured_at: isoTimeOrNull(row.captured_at),
  uploaded_at: isoTime(row.uploaded_at),
  uploaded_by: row.uploaded_by,
  auto_categorized: row.auto_categorized === 1,
  processing_status: row.processing_status,
  processing_error: row.processing_error,
  content_hash: row.content_hash,
  thumbhash: row.thumbhash,
})
