import type { Database } from '../platform/database/tables.ts'
import { computeTreeHash } from '../platform/storage/content-digest.ts'
import type { StoredFile, StoredFiles } from '../settings/belongings.ts'
import { derivedKeys, downloadedKeys, originalKey, stillKey, thumbnailKey } from './photo-files.ts'
import type { PhotoRow } from './photo-rows.ts'

const photosPerBatch = 500

/** The files of photos in the trash stay where they are, and those of arriving photos are already there. */
const photoTables = ['photos', 'trashed_photos', 'arriving_photos'] as const

/**
 * The files of photos, ordered by event and by the file name of the original, and then those of photos in the trash, and
 * of an interrupted import.
 */
export const filesOfPhotos: StoredFiles = {
  tables: photoTables,
  isInBackups: true,
  keysOf: listKeys,
  async *list(db) {
    for (const table of photoTables) yield* listFilesOf(db, table)
  },
  count: countPhotoFiles,
  isNamed: async (db, { photoId, key }) => photoId !== null && hasFile(db, photoId, key),
}

async function listKeys(db: Database, eventId: number): Promise<string[]> {
  const selectFiles = (table: (typeof photoTables)[number]) =>
    db
      .selectFrom(table)
      .select(['event_id', 'media_type', 'filename', 'thumbnail_filename', 'still_filename'])
      .where('event_id', '=', eventId)
  // One query, so that a photo that moves between the tables is in its result.
  const photos = await selectFiles('photos')
    .unionAll(selectFiles('trashed_photos'))
    .unionAll(selectFiles('arriving_photos'))
    .execute()
  return photos.flatMap((photo) => [...downloadedKeys(photo), ...derivedKeys(photo)])
}

async function* listFilesOf(db: Database, table: (typeof photoTables)[number]): AsyncGenerator<StoredFile[], void> {
  let after = { event_id: 0, filename: '' }
  for (;;) {
    const photos = await db
      .selectFrom(table)
      .selectAll()
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('event_id', 'filename'), '>', tuple(after.event_id, after.filename)),
      )
      .orderBy('event_id')
      .orderBy('filename')
      .limit(photosPerBatch)
      .execute()
    if (photos.length > 0) yield photos.flatMap(listStoredFiles)
    const last = photos.at(-1)
    if (!last || photos.length < photosPerBatch) return
    after = last
  }
}

async function countPhotoFiles(db: Database): Promise<number> {
  let count = 0
  for (const table of photoTables) {
    const { photos, thumbnails, stills } = await db
      .selectFrom(table)
      .select(({ fn }) => [
        fn.countAll<number>().as('photos'),
        fn.count<number>('thumbnail_filename').as('thumbnails'),
        fn.count<number>('still_filename').as('stills'),
      ])
      .executeTakeFirstOrThrow()
    count += Number(photos) + Number(thumbnails) + Number(stills)
  }
  return count
}

async function hasFile(db: Database, photoId: number, key: string): Promise<boolean> {
  const selectFiles = (table: (typeof photoTables)[number]) =>
    db
      .selectFrom(table)
      .select(['event_id', 'media_type', 'filename', 'thumbnail_filename', 'still_filename'])
      .where('id', '=', photoId)
  // One query, so that a photo that moves between the tables is in its result.
  const photo = await selectFiles('photos').unionAll(selectFiles('trashed_photos')).executeTakeFirst()
  return photo !== undefined && [...downloadedKeys(photo), ...derivedKeys(photo)].includes(key)
}

type FileFacts = Pick<
  PhotoRow,
  | 'id'
  | 'event_id'
  | 'filename'
  | 'size_bytes'
  | 'content_hash'
  | `thumbnail_${'filename' | 'size_bytes' | 'sha256'}`
  | `still_${'filename' | 'size_bytes' | 'sha256'}`
>

/** Returns the original, and the thumbnail and the still if there are any. */
export function listStoredFiles(photo: FileFacts): StoredFile[] {
  const { id: photoId, event_id: eventId, size_bytes: sizeBytes, content_hash: contentHash } = photo
  const files: StoredFile[] = [{ photoId, key: originalKey(eventId, photo.filename), sizeBytes, contentHash }]
  if (photo.thumbnail_filename !== null && photo.thumbnail_size_bytes !== null) {
    files.push({
      photoId,
      key: thumbnailKey(eventId, photo.thumbnail_filename),
      sizeBytes: photo.thumbnail_size_bytes,
      contentHash: computeTreeHash(photo.thumbnail_sha256, photo.thumbnail_size_bytes),
    })
  }
  if (photo.still_filename !== null && photo.still_size_bytes !== null) {
    files.push({
      photoId,
      key: stillKey(eventId, photo.still_filename),
      sizeBytes: photo.still_size_bytes,
      contentHash: computeTreeHash(photo.still_sha256, photo.still_size_bytes),
    })
  }
  return files
}
