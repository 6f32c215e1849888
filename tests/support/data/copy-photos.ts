import { copyRow } from '../database/copy-rows.ts'
import { changeDatabase, originalName } from '../database/service-database.ts'
import { openStoredFile } from '../storage/stored-files.ts'
import type { TestService } from '../service/test-service.ts'

/** Copies the row and original of a photo, which is faster than uploads. Copies share the thumbnail. Returns ids. */
export async function copyPhotos(
  service: TestService,
  eventId: number,
  photoId: number,
  copies: number,
): Promise<number[]> {
  const original = originalName(service, eventId, photoId)
  const names = Array.from({ length: copies }, (_, index) => `${original}-${index + 1}.jpg`)
  await openStoredFile(service, original).copyTo(names)
  return changeDatabase(service, (stored) => {
    const ids = copyRow(stored, 'photos', photoId, copies, { filename: "filename || '-' || n.value || '.jpg'" })
    stored
      .prepare(
        `update event_photo_totals set photo_count = photo_count + ?, visible_count = visible_count + ?,
          total_size = total_size + ? * (select size_bytes from photos where id = ?) where event_id = ?`,
      )
      .run(copies, copies, copies, photoId, eventId)
    return ids
  })
}
