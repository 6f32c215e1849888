import { type SelectQueryBuilder, sql } from 'kysely'
import type { PhotoRow } from '../photos/photo-rows.ts'
import type { Database, Tables } from '../platform/database/tables.ts'
import { inSnapshot } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

export type PhotoWithoutSize = Pick<PhotoRow, 'id' | 'event_id' | 'filename' | 'size_bytes' | 'content_hash'>

/** Must equal the condition of the partial index `photos_without_size`. */
const hasNoSize = sql<boolean>`media_type = 'image' and (width is null or height is null)`

const selectPhotosWithoutSize = (db: Database): SelectQueryBuilder<Tables, 'photos', object> =>
  db.selectFrom('photos').where(hasNoSize)

/** On SQLite, a transaction runs on the writer thread, so this query does not start the reader thread. */
export const findPhotosWithoutSize = (
  { db }: PlatformContext,
  afterId: number,
  limit: number,
): Promise<PhotoWithoutSize[]> =>
  inSnapshot(db, (tx) =>
    selectPhotosWithoutSize(tx)
      .select(['id', 'event_id', 'filename', 'size_bytes', 'content_hash'])
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(limit)
      .execute(),
  )

export async function countPhotosWithoutSize({ db }: PlatformContext): Promise<number> {
  const { count } = await selectPhotosWithoutSize(db)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The totals of events count images and videos, so this function subtracts the videos. */
export async function countImages({ db }: PlatformContext): Promise<number> {
  const { photos } = await db
    .selectFrom('event_photo_totals')
    .select(sql<number>`coalesce(sum(photo_count), 0)`.as('photos'))
    .executeTakeFirstOrThrow()
  const { videos } = await db
    .selectFrom('photos')
    .select(({ fn }) => fn.countAll<number>().as('videos'))
    .where(sql<boolean>`media_type <> 'image'`)
    .executeTakeFirstOrThrow()
  return Number(photos) - Number(videos)
}
