import { originalKey } from '../photos/photo-files.ts'
import type { PhotoRow, ReplacedFileTable } from '../photos/photo-rows.ts'
import { listEarlierVersions, selectKept } from '../photos/versions/version-rows.ts'
import type { Database, Tx } from '../platform/database/tables.ts'
import type { PhotoBelongings } from '../settings/belongings.ts'

export async function recordReplaced(tx: Tx, previous: PhotoRow, now: number): Promise<void> {
  const { id: photo_id, event_id, filename, original_filename, size_bytes, content_hash } = previous
  const key = originalKey(event_id, filename)
  await tx
    .insertInto('replaced_files')
    .values({ key, event_id, photo_id, original_filename, size_bytes, content_hash, replaced_at: now })
    .execute()
}

/** Selects the earlier files and versions of the photos of an event that are not in the trash. */
export const selectEarlier = (db: Database, eventId: number) =>
  db
    .selectFrom(
      db
        .selectFrom('replaced_files')
        .select(['photo_id', 'size_bytes', 'content_hash'])
        .where('event_id', '=', eventId)
        .unionAll(selectKept(db, eventId).select(['photo_id', 'size_bytes', 'content_hash']))
        .as('earlier'),
    )
    .where('photo_id', 'in', (photos) => photos.selectFrom('photos').select('id').where('event_id', '=', eventId))

/** A file that a photo had before. `key`: in the storage. */
export type EarlierFile = Pick<ReplacedFileTable, 'key' | 'original_filename' | 'size_bytes' | 'replaced_at'>

/** Returns the files that the photo had before its replacements, without versions, as far as they are kept, the latest first. */
export const listReplaced = (db: Database, eventId: number, photoId: number): Promise<EarlierFile[]> =>
  db
    .selectFrom('replaced_files')
    .select(['key', 'original_filename', 'size_bytes', 'replaced_at'])
    .where('photo_id', '=', photoId)
    .where('event_id', '=', eventId)
    .orderBy('replaced_at', 'desc')
    .execute()

/** Like `listReplaced`, with versions. */
export async function listEarlierFiles(db: Database, eventId: number, photoId: number): Promise<EarlierFile[]> {
  const earlier = await listEarlierVersions(db, eventId, photoId)
  const versions = earlier.filter(({ deleted_at }) => deleted_at === null).reverse()
  const kept = versions.map(({ filename, original_filename, size_bytes, until_at }) => ({
    ...{ key: originalKey(eventId, filename), original_filename, size_bytes, replaced_at: until_at },
  }))
  const files = [...kept, ...(await listReplaced(db, eventId, photoId))]
  return files.sort((a, b) => Number(b.replaced_at) - Number(a.replaced_at))
}

/** The operator decided against the file. If it comes again, it is not taken for one that the photo had before. */
export const forgetContent = (tx: Tx, key: string) =>
  tx.updateTable('replaced_files').set({ content_hash: null }).where('key', '=', key).execute()

export const deleteReplaced = (db: Database, key: string) =>
  db.deleteFrom('replaced_files').where('key', '=', key).execute()

/** For a copy of the database without the files. */
export const deleteAllReplaced = (db: Database) => db.deleteFrom('replaced_files').execute()

/** Deletes the rows of replacements before `time`. */
export const pruneReplaced = (db: Database, time: number) =>
  db.deleteFrom('replaced_files').where('replaced_at', '<', time).execute()

/** Nobody can undo the replacement of a deleted photo. */
export const earlierFilesOfPhotos: PhotoBelongings = {
  tables: ['replaced_files'],
  deleteFor: (tx, photoIds) => tx.deleteFrom('replaced_files').where('photo_id', 'in', photoIds).execute(),
}
