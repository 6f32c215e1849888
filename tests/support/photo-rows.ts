import { changeDatabase } from './stored.ts'
import type { TestService } from './test-service.ts'

/** What a list of photos can be told apart by; everything else is the same for all. */
export type AddedPhoto = { uploadedAt: number; visibility: 'visible' | 'hidden' }

/**
 * Adds photos without files to an event that has none, in one transaction, and answers their ids in the order given.
 * For lists of many photos; whatever wants bytes needs an upload.
 */
export function addPhotoRows(service: TestService, eventId: number, photos: readonly AddedPhoto[]): Promise<number[]> {
  return changeDatabase(service, (sqlite) => {
    const insert = sqlite.prepare(`insert into photos (
      event_id, filename, original_filename, source_filename, media_type, mime_type, size_bytes, content_hash, crc32,
      auto_categorized, visibility, processing_status, uploaded_at, uploaded_by, updated_at)
      values (?, ?, 'photo.jpg', 'photo.jpg', 'image', 'image/jpeg', 1000, ?, 0, 0, ?, 'ready', ?, 'api', ?)`)
    const count = sqlite.prepare(`insert into event_photo_totals (event_id, photo_count, visible_count, total_size)
      values (?, ?, ?, ?)`)
    const visible = photos.filter(({ visibility }) => visibility === 'visible').length
    count.run(eventId, photos.length, visible, photos.length * 1000)
    return photos.map(({ uploadedAt, visibility }, index) => {
      const hash = index.toString(16).padStart(64, '0')
      const name = `1700000000000_${hash.slice(-8)}.jpg`
      return Number(insert.run(eventId, name, hash, visibility, uploadedAt, uploadedAt).lastInsertRowid)
    })
  })
}
