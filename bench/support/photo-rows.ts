import Database from 'better-sqlite3'

type Column = { name: string; type: string; pk: number }

/**
 * Adds `count` copies of the first photo row, or of the first one of the event, and updates the totals. The service
 * must be stopped.
 */
export function addPhotoRows(file: string, count: number, eventId?: number): void {
  const database = new Database(file)
  const columns = database.pragma('table_info(photos)') as Column[]
  const copied = columns.filter((column) => !(column.pk > 0 && /^int/i.test(column.type)))
  const distinct = distinctColumns(database, columns)
  const values = copied.map((column) => (distinct.has(column.name) ? distinctValue(column) : quoted(column.name)))
  const first = `SELECT * FROM photos ${eventId === undefined ? '' : `WHERE event_id = ${eventId}`}`
  database.exec(`
    WITH RECURSIVE copy(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copy WHERE number < ${count})
    INSERT INTO photos (${copied.map(({ name }) => quoted(name)).join(', ')})
    SELECT ${values.join(', ')} FROM copy, (${first} LIMIT 1);
    INSERT INTO event_photo_totals (event_id, photo_count, visible_count, total_size)
    SELECT event_id, count(*), sum(visibility = 'visible'), sum(size_bytes) FROM photos WHERE true GROUP BY event_id
    ON CONFLICT (event_id) DO UPDATE SET photo_count = excluded.photo_count, visible_count = excluded.visible_count,
      total_size = excluded.total_size
  `)
  database.close()
}

export function photoIds(file: string, eventId: number): number[] {
  const database = new Database(file, { readonly: true })
  const ids = database.prepare('SELECT id FROM photos WHERE event_id = ? ORDER BY id').pluck().all(eventId)
  database.close()
  return ids as number[]
}

const keptColumns = `filename, original_filename, media_type, mime_type, size_bytes, content_hash, crc32, width, height,
  duration, thumbhash, thumbnail_filename, thumbnail_size_bytes, thumbnail_sha256, still_filename, still_size_bytes,
  still_crc32, still_sha256`

/** Gives each fifth photo an earlier version. The service must be stopped. */
export function addVersionRows(file: string, eventId: number): void {
  const database = new Database(file)
  database.exec(`
    UPDATE events SET keep_versions = 1 WHERE id = ${eventId};
    INSERT INTO photo_versions (event_id, photo_id, number, ${keptColumns}, from_at, until_at)
    SELECT event_id, id, 1, ${keptColumns}, uploaded_at, uploaded_at + 1000 FROM photos
    WHERE event_id = ${eventId} AND id % 5 = 0
  `)
  database.close()
}

/**
 * Gives photos distinct names, times and sizes. A tenth has no capture time, a third a category, and 2 % are hidden.
 */
export function scatterPhotos(file: string, eventId: number): void {
  const database = new Database(file)
  const scattered = '(id * 7919 % 100003)'
  database.exec(`
    UPDATE photos SET
      name_sort = 'img_' || printf('%03d', length(${scattered})) || ${scattered} || char(1) || '.jpg',
      search_text = filename || char(10) || 'img_' || ${scattered} || '.jpg',
      size_bytes = 5000000 + ${scattered},
      captured_at = CASE WHEN id % 10 = 0 THEN NULL ELSE 1700000000000 + ${scattered} * 1000 END,
      category_id = CASE WHEN id % 3 = 0 THEN (SELECT min(id) FROM categories) END,
      visibility = CASE WHEN id % 50 = 49 THEN 'hidden' ELSE 'visible' END
    WHERE event_id = ${eventId};
    UPDATE event_photo_totals SET
      visible_count = (SELECT sum(visibility = 'visible') FROM photos WHERE event_id = ${eventId}),
      total_size = (SELECT sum(size_bytes) FROM photos WHERE event_id = ${eventId})
    WHERE event_id = ${eventId}
  `)
  database.close()
}

/**
 * Returns the columns that must differ between copies: the file name, and the last column of each unique index that has
 * no such column yet.
 */
function distinctColumns(database: Database.Database, columns: readonly Column[]): Set<string> {
  const distinct = new Set(['filename'])
  const indexes = database.pragma('index_list(photos)') as { name: string; unique: number }[]
  for (const index of indexes.filter(({ unique }) => unique === 1)) {
    const names = (database.pragma(`index_info(${quoted(index.name)})`) as { name: string | null }[]).map(
      ({ name }) => name,
    )
    const last = columns.find(({ name }) => name === names.at(-1))
    if (last && !names.some((name) => name !== null && distinct.has(name))) distinct.add(last.name)
  }
  return distinct
}

function distinctValue({ name, type }: Column): string {
  if (name === 'filename') return `printf('%d_%08x.jpg', 1700000000000 + number, number)`
  return /^int/i.test(type) ? `${quoted(name)} + number` : `${quoted(name)} || '-' || number`
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
