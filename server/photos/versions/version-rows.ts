import { type Selectable, sql } from 'kysely'
import { currentVersion, sumOfVersionBytes } from '../../events/photo-version.ts'
import type { Database, Tx } from '../../platform/database/tables.ts'
import type { FileColumns, PhotoRow } from '../photo-rows.ts'

type KeptColumns = Omit<FileColumns, 'search_text' | 'captured_at' | 'processing_status' | 'processing_error'>

/** An earlier version of a photo. The current one is the row of the photo, and has the next number. */
export type PhotoVersionTable = KeptColumns & {
  event_id: number
  /** Has no foreign key, so that the versions stay while the photo is in the trash. */
  photo_id: number
  /** Counted from 1 for each photo. */
  number: number
  from_at: number
  until_at: number
  /** What an operator wrote about the version after this one. */
  next_note: string | null
  /** When the file was deleted. The row stays, so that numbers are not used again. */
  deleted_at: number | null
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    photo_versions: PhotoVersionTable
  }
}

export type PhotoVersionRow = Selectable<PhotoVersionTable>

const toKept = (photo: PhotoRow): KeptColumns => ({
  filename: photo.filename,
  original_filename: photo.original_filename,
  media_type: photo.media_type,
  mime_type: photo.mime_type,
  size_bytes: photo.size_bytes,
  content_hash: photo.content_hash,
  crc32: photo.crc32,
  width: photo.width,
  height: photo.height,
  duration: photo.duration,
  thumbhash: photo.thumbhash,
  thumbnail_filename: photo.thumbnail_filename,
  thumbnail_size_bytes: photo.thumbnail_size_bytes,
  thumbnail_sha256: photo.thumbnail_sha256,
  still_filename: photo.still_filename,
  still_size_bytes: photo.still_size_bytes,
  still_crc32: photo.still_crc32,
  still_sha256: photo.still_sha256,
})

/**
 * Keeps the file that a photo had until now. Returns the number of the next version. Must run with the lock of the event,
 * so that numbers have no gaps.
 */
export async function keepVersion(
  tx: Tx,
  previous: PhotoRow,
  { note, now }: { note: string | null; now: number },
): Promise<number> {
  const before = (await listEarlierVersions(tx, previous.event_id, previous.id)).at(-1)
  const number = (before?.number ?? 0) + 1
  const times = { from_at: before?.until_at ?? previous.uploaded_at, until_at: now }
  const { event_id, id: photo_id } = previous
  const row = { ...toKept(previous), event_id, photo_id, number, ...times, next_note: note, deleted_at: null }
  await tx.insertInto('photo_versions').values(row).execute()
  return number + 1
}

/** Also those whose file was deleted. The oldest first. */
export const listEarlierVersions = (db: Database, eventId: number, photoId: number): Promise<PhotoVersionRow[]> =>
  db
    .selectFrom('photo_versions')
    .selectAll()
    .where('photo_id', '=', photoId)
    .where('event_id', '=', eventId)
    .orderBy('number')
    .execute()

/** Returns undefined for a version whose file was deleted. */
export const findEarlierVersion = (
  db: Database,
  { eventId, photoId, number }: { eventId: number; photoId: number; number: number },
): Promise<PhotoVersionRow | undefined> =>
  selectKept(db, eventId).selectAll().where('photo_id', '=', photoId).where('number', '=', number).executeTakeFirst()

/** Returns the number of the version that the photo has now. */
export async function getCurrentNumber(db: Database, photoId: number): Promise<number> {
  const { number } = await db
    .selectNoFrom(currentVersion(sql`cast(${photoId} as integer)`).as('number'))
    .executeTakeFirstOrThrow()
  return Number(number)
}

/** Selects the versions of an event whose files are kept. */
export const selectKept = (db: Database, eventId: number) =>
  db.selectFrom('photo_versions').where('event_id', '=', eventId).where('deleted_at', 'is', null)

/** Returns whether an earlier version of the photo has this content. */
export async function isContentKept(db: Database, photo: Pick<PhotoRow, 'id' | 'event_id' | 'content_hash'>) {
  const kept = selectKept(db, photo.event_id).where('content_hash', '=', photo.content_hash)
  return (await kept.where('photo_id', '=', photo.id).select('number').executeTakeFirst()) !== undefined
}

/** Returns how many earlier versions of an event are kept, and the size of their files in bytes. */
export async function sumVersions(db: Database, eventId: number): Promise<{ count: number; size_bytes: number }> {
  const { count, size_bytes } = await selectKept(db, eventId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .select(sumOfVersionBytes.as('size_bytes'))
    .executeTakeFirstOrThrow()
  return { count: Number(count), size_bytes: Number(size_bytes) }
}
