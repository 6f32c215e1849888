import Database from 'better-sqlite3'

/**
 * Adds copies of photos until the event has `photos` photos. The service must be stopped. Copies share thumbnails and
 * renditions, but have no originals.
 */
export function copyPhotosWithPictures(file: string, eventId: number, photos: number): void {
  const database = new Database(file)
  const columnsOf = (table: string) =>
    (database.pragma(`table_info(${table})`) as Array<{ name: string }>).map(({ name }) => name)
  const copied = columnsOf('photos').filter((name) => name !== 'id')
  const values = copied.map((name) => distinctValues[name] ?? `photos.${name}`)
  const pictures = columnsOf('photo_renditions')
  const shared = pictures.map((name) => (name === 'photo_id' ? 'photos.id' : `photo_renditions.${name}`))
  database.exec(`
    WITH RECURSIVE copy(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copy WHERE number < ${photos})
    INSERT INTO photos (${copied}) SELECT ${values} FROM copy, photos WHERE event_id = ${eventId}
    ORDER BY copy.number, photos.id LIMIT ${photos} - (SELECT count(*) FROM photos WHERE event_id = ${eventId});
    INSERT INTO photo_renditions (${pictures}) SELECT ${shared} FROM photo_renditions
    JOIN photos ON photos.event_id = photo_renditions.event_id
      AND photos.content_hash = photo_renditions.content_hash AND photos.id <> photo_renditions.photo_id
    WHERE photos.event_id = ${eventId};
    UPDATE event_photo_totals SET (photo_count, visible_count, total_size) =
      (SELECT count(*), count(*), sum(size_bytes) FROM photos WHERE event_id = ${eventId}) WHERE event_id = ${eventId}
  `)
  database.close()
}

/** Columns that must differ between copies. */
const distinctValues: Record<string, string> = {
  filename: "photos.filename || '-' || copy.number || '.jpg'",
  uploaded_at: 'photos.uploaded_at - copy.number * 60000',
}
