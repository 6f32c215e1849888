import { link } from 'node:fs/promises'
import { changeDatabase, originalPath } from './stored.ts'
import type { TestService } from './test-service.ts'

/**
 * Copies the row of a photo and links its original, so that an event has many photos with files without so many uploads;
 * they share its thumbnail. Answers their ids.
 */
export async function copyPhoto(
  service: TestService,
  eventId: number,
  photoId: number,
  copies: number,
): Promise<number[]> {
  const original = originalPath(service, eventId, photoId)
  const places = Array.from({ length: copies }, (_, index) => `-${index}.jpg`)
  await Promise.all(places.map((place) => link(original, original + place)))
  return changeDatabase(service, (sqlite) => {
    const columns = (sqlite.pragma('table_info(photos)') as Array<{ name: string }>).map(({ name }) => name)
    const copied = columns.filter((name) => name !== 'id')
    const values = copied.map((name) => (name === 'filename' ? 'filename || ?' : name))
    const copy = sqlite.prepare(`insert into photos (${copied}) select ${values} from photos where id = ${photoId}`)
    const ids = places.map((place) => Number(copy.run(place).lastInsertRowid))
    sqlite
      .prepare(
        `update event_photo_totals set photo_count = photo_count + ?, visible_count = visible_count + ?,
          total_size = total_size + ? * (select size_bytes from photos where id = ?) where event_id = ?`,
      )
      .run(copies, copies, copies, photoId, eventId)
    return ids
  })
}
