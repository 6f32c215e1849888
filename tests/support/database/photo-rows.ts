import { createNameSortKey, createSearchText } from '../../../server/photos/photo-names.ts'
import type { TestService } from '../service/test-service.ts'
import { changeDatabase } from './service-database.ts'

/** The fields that lists filter and sort by. All other fields are equal, except the stored file name and the hash. */
export type AddedPhoto = {
  uploadedAt: number
  visibility: 'visible' | 'hidden'
  /** The original_filename, and the source_filename unless `sourceName` is set. */
  name?: string
  sourceName?: string
  capturedAt?: number | null
  sizeBytes?: number
  categoryId?: number | null
  type?: 'individual' | 'collage' | null
  mediaType?: 'image' | 'video'
}

/** Rows per statement, because both databases limit the number of parameters. */
const rowsPerStatement = 500

/** Adds photo rows without files to an event without photos, in one transaction. Returns the ids in the given order. */
export function addPhotoRows(service: TestService, eventId: number, photos: readonly AddedPhoto[]): Promise<number[]> {
  const rows = photos.map((photo, index) => createRow(photo, index, eventId))
  const visible = photos.filter(({ visibility }) => visibility === 'visible').length
  const bytes = photos.reduce((sum, { sizeBytes = 1000 }) => sum + sizeBytes, 0)
  return changeDatabase(service, (stored) => {
    const count = stored.prepare(`insert into event_photo_totals (event_id, photo_count, visible_count, total_size)
      values (?, ?, ?, ?)`)
    count.run(eventId, photos.length, visible, bytes)
    return Array.from({ length: Math.ceil(rows.length / rowsPerStatement) }).flatMap((_, part) => {
      const some = rows.slice(part * rowsPerStatement, (part + 1) * rowsPerStatement)
      const [columns, values] = [Object.keys(some[0] ?? {}), some.flatMap((row) => Object.values(row))]
      const places = some.map(() => `(${columns.map(() => '?').join()})`).join()
      const insert = `insert into photos (${columns}) values ${places} returning id`
      return stored.prepare<[], number>(insert).pluck().all(values)
    })
  })
}

function createRow(photo: AddedPhoto, index: number, eventId: number) {
  const { name = 'photo.jpg', sourceName = name } = photo
  const names = { filename: getStoredName(index), original_filename: name }
  return {
    ...names,
    event_id: eventId,
    source_filename: sourceName,
    name_sort: createNameSortKey(sourceName),
    search_text: createSearchText(names),
    media_type: photo.mediaType ?? 'image',
    mime_type: photo.mediaType === 'video' ? 'video/mp4' : 'image/jpeg',
    size_bytes: photo.sizeBytes ?? 1000,
    content_hash: index.toString(16).padStart(64, '0'),
    crc32: 0,
    captured_at: photo.capturedAt ?? null,
    category_id: photo.categoryId ?? null,
    type: photo.type ?? null,
    auto_categorized: 0,
    visibility: photo.visibility,
    processing_status: 'ready',
    uploaded_at: photo.uploadedAt,
    uploaded_by: 'api',
    updated_at: photo.uploadedAt,
  }
}

export const getStoredName = (index: number): string => `1700000000000_${index.toString(16).padStart(8, '0')}.jpg`
