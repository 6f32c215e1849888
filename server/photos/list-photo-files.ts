import type { Database } from '../platform/database/tables.ts'
import { type BlockDigest, digestBlockBytes, digestOfBlocks } from '../platform/storage/content-digest.ts'
import { derivedKeys, downloadedKeys, originalKey, stillKey, thumbnailKey } from './photo-files.ts'
import type { PhotoRow } from './photo-rows.ts'

/** `contentHash`: the hash of `digestOfBlocks`; null if it is unknown. */
export type StoredPhotoFile = { photoId: number; key: string; sizeBytes: number; contentHash: string | null }

const photosPerBatch = 500

/**
 * Yields the files in batches, ordered by event and by the file name of the original, and then those of photos in the
 * trash, and of an interrupted import. Leaves out renditions, which can be made again.
 */
export async function* listPhotoFiles(db: Database): AsyncGenerator<StoredPhotoFile[], void> {
  for (const table of photoTables) yield* listFilesOf(db, table)
}

/** The files of photos in the trash stay where they are, and those of arriving photos are already there. */
const photoTables = ['photos', 'trashed_photos', 'arriving_photos'] as const

async function* listFilesOf(
  db: Database,
  table: (typeof photoTables)[number],
): AsyncGenerator<StoredPhotoFile[], void> {
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
    if (photos.length > 0) yield photos.flatMap(listFiles)
    const last = photos.at(-1)
    if (!last || photos.length < photosPerBatch) return
    after = last
  }
}

export async function countPhotoFiles(db: Database): Promise<number> {
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

export async function hasFile(db: Database, photoId: number, key: string): Promise<boolean> {
  const selectFiles = (table: (typeof photoTables)[number]) =>
    db
      .selectFrom(table)
      .select(['event_id', 'media_type', 'filename', 'thumbnail_filename', 'still_filename'])
      .where('id', '=', photoId)
  // One query, so that a photo that moves between the tables is in its result.
  const photo = await selectFiles('photos').unionAll(selectFiles('trashed_photos')).executeTakeFirst()
  return photo !== undefined && [...downloadedKeys(photo), ...derivedKeys(photo)].includes(key)
}

function listFiles(photo: PhotoRow): StoredPhotoFile[] {
  const { id: photoId, event_id: eventId, size_bytes: sizeBytes, content_hash: contentHash } = photo
  const files: StoredPhotoFile[] = [{ photoId, key: originalKey(eventId, photo.filename), sizeBytes, contentHash }]
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

/**
 * Computes the content hash from the SHA-256 of the file. Returns null without a SHA-256, and for a file that is empty
 * or larger than one block (`digestBlockBytes`).
 */
export function computeTreeHash(sha256: string | null, sizeBytes: number): string | null {
  if (sha256 === null || sizeBytes === 0 || sizeBytes > digestBlockBytes) return null
  const block: BlockDigest = { sha256, crc32: 0, sizeBytes }
  return digestOfBlocks([block]).contentHash
}
