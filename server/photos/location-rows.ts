import { createHash } from 'node:crypto'
import type { CompiledQuery, Selectable } from 'kysely'
import { compileOnce } from '../platform/database/compile-once.ts'
import { byKey } from '../platform/database/short-read.ts'
import type { Database, Tx } from '../platform/database/tables.ts'
import type { LocationChange } from '../platform/media/image-tasks.ts'
import type { PhotoRow } from './photo-rows.ts'

export type LocationTable = {
  photo_id: number
  /** Content hash of the original that was read. The row is invalid when the file of the photo is replaced. */
  content_hash: string
  /** See `serializePatches`; null if the location data cannot be removed. */
  patches: string | null
  /** ETag of the file without its location; equals `content_hash` if there is nothing to remove. */
  etag: string
  crc32: number
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    photo_locations: LocationTable
  }
}

export type LocationRow = Selectable<LocationTable>

export const findLocationRow = (db: Database, photoId: number): Promise<LocationRow | undefined> =>
  db.selectFrom('photo_locations').selectAll().where('photo_id', '=', photoId).modifyEnd(byKey).executeTakeFirst()

/** For more ids, `findLocationRows` reads all rows of the event and filters them itself. */
const maxListedIds = 500

/** Returns rows by photo id. Leaves out rows of files that were replaced. */
export async function findLocationRows(
  db: Database,
  eventId: number,
  photoIds: readonly number[],
): Promise<Map<number, LocationRow>> {
  const rows = await db
    .selectFrom('photo_locations')
    .innerJoin('photos', 'photos.id', 'photo_locations.photo_id')
    .selectAll('photo_locations')
    .where('photos.event_id', '=', eventId)
    .whereRef('photos.content_hash', '=', 'photo_locations.content_hash')
    .$if(photoIds.length <= maxListedIds, (query) => query.where('photos.id', 'in', [...photoIds]))
    .execute()
  const requestedIds = new Set(photoIds)
  return new Map(rows.filter(({ photo_id }) => requestedIds.has(photo_id)).map((row) => [row.photo_id, row]))
}

/** Must run in the transaction that stores the photo or checks that its file is unchanged. */
export async function recordLocation(tx: Tx, photo: LocatedPhoto, found: LocationChange | null): Promise<LocationRow> {
  const row = locationRow(photo, found)
  await tx.executeQuery(storeLocation(tx, row))
  return row
}

type LocatedPhoto = Pick<PhotoRow, 'id' | 'content_hash' | 'crc32'>

export function locationRow(photo: LocatedPhoto, found: LocationChange | null): LocationRow {
  const patches = found?.patches ?? null
  return {
    photo_id: photo.id,
    content_hash: photo.content_hash,
    patches,
    etag: patches === '[]' ? photo.content_hash : computeEtag(photo.content_hash, patches),
    crc32: (photo.crc32 ^ (found?.crc32Change ?? 0)) >>> 0,
  }
}

/** For a transaction like that of `recordLocation`. */
export function storeLocation(tx: Tx, row: LocationRow): CompiledQuery {
  return compileOnce(tx, 'photo location', row, (values) => {
    const { photo_id, ...rest } = values
    return tx
      .insertInto('photo_locations')
      .values(values)
      .onConflict((conflict) => conflict.column('photo_id').doUpdateSet(rest))
  })
}

const computeEtag = (contentHash: string, patches: string | null): string =>
  createHash('sha256')
    .update(JSON.stringify([contentHash, patches]))
    .digest('hex')
