import { nameSortOf, searchTextOf } from '../../server/photos/photo-names.ts'
import { changeDatabase } from './stored.ts'
import type { TestService } from './test-service.ts'

/** What a list of photos can be told apart by; everything else is the same for all. */
export type AddedPhoto = {
  uploadedAt: number
  visibility: 'visible' | 'hidden'
  /** original_filename, and source_filename where no other is named. */
  name?: string
  sourceName?: string
  capturedAt?: number | null
  sizeBytes?: number
  categoryId?: number | null
  type?: 'individual' | 'collage' | null
}

/**
 * Adds photos without files to an event that has none, in one transaction, and answers their ids in the order given.
 * For lists of many photos; whatever wants bytes needs an upload.
 */
export function addPhotoRows(service: TestService, eventId: number, photos: readonly AddedPhoto[]): Promise<number[]> {
  return changeDatabase(service, (sqlite) => {
    const insert = sqlite.prepare(`insert into photos (
      event_id, filename, original_filename, source_filename, name_sort, search_text, media_type, mime_type, size_bytes,
      content_hash, crc32, captured_at, category_id, type, auto_categorized, visibility, processing_status, uploaded_at,
      uploaded_by, updated_at) values (@event_id, @filename, @original_filename, @source_filename, @name_sort, @search_text,
      'image', 'image/jpeg', @size_bytes, @content_hash, 0, @captured_at, @category_id, @type, 0, @visibility, 'ready',
      @uploaded_at, 'api', @uploaded_at)`)
    const count = sqlite.prepare(`insert into event_photo_totals (event_id, photo_count, visible_count, total_size)
      values (?, ?, ?, ?)`)
    const visible = photos.filter(({ visibility }) => visibility === 'visible').length
    const bytes = photos.reduce((sum, { sizeBytes = 1000 }) => sum + sizeBytes, 0)
    count.run(eventId, photos.length, visible, bytes)
    return photos.map((photo, index) => {
      const hash = index.toString(16).padStart(64, '0')
      const { name = 'photo.jpg', sourceName = name } = photo
      const names = { filename: storedName(index), original_filename: name }
      const row = {
        ...names,
        event_id: eventId,
        source_filename: sourceName,
        name_sort: nameSortOf(sourceName),
        search_text: searchTextOf(names),
        size_bytes: photo.sizeBytes ?? 1000,
        content_hash: hash,
        captured_at: photo.capturedAt ?? null,
        category_id: photo.categoryId ?? null,
        type: photo.type ?? null,
        visibility: photo.visibility,
        uploaded_at: photo.uploadedAt,
      }
      return Number(insert.run(row).lastInsertRowid)
    })
  })
}

/** The filename of the photo at this place. */
export const storedName = (index: number): string => `1700000000000_${index.toString(16).padStart(8, '0')}.jpg`
