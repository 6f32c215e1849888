import type { Database } from '../platform/database/tables.ts'
import type { StoredFile } from '../platform/storage/storage.ts'
import { originalKey } from './photo-files.ts'

/** Returns the originals of the oldest and of the newest photo. */
export async function sampleOriginals(db: Database): Promise<Array<Pick<StoredFile, 'key' | 'sizeBytes'>>> {
  const photos = db.selectFrom('photos').select(['id', 'event_id', 'filename', 'size_bytes']).limit(1)
  const rows = [await photos.orderBy('id').executeTakeFirst(), await photos.orderBy('id', 'desc').executeTakeFirst()]
  const found = new Map(rows.flatMap((row) => (row ? [[row.id, row]] : [])))
  return Array.from(found.values(), (row) => ({
    key: originalKey(row.event_id, row.filename),
    sizeBytes: row.size_bytes,
  }))
}
