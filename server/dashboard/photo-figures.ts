import { sql } from 'kysely'
import type { Database } from '../platform/database/tables.ts'
import { isInScope, type Scope } from './dashboard-scope.ts'
import { toNumbers } from './event-figures.ts'

export async function countPhotos(db: Database, scope: Scope) {
  const totals = await db
    .selectFrom('event_photo_totals')
    .where(isInScope(scope, 'event_id'))
    .select([
      sql<number>`coalesce(sum(photo_count), 0)`.as('total'),
      sql<number>`coalesce(sum(total_size), 0)`.as('size_bytes'),
    ])
    .executeTakeFirstOrThrow()
  const photos = db
    .selectFrom('photos')
    .where(isInScope(scope, 'event_id'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
  // Literals instead of parameters, so that the partial indexes are used.
  const videos = await photos.where(sql<boolean>`media_type = 'video'`).executeTakeFirstOrThrow()
  const unready = photos.where(sql<boolean>`processing_status <> 'ready'`)
  const processing = await unready.where('processing_status', '=', 'processing').executeTakeFirstOrThrow()
  const failed = await unready.where('processing_status', '=', 'failed').executeTakeFirstOrThrow()
  return toNumbers({
    ...totals,
    videos: videos.count,
    processing: processing.count,
    failed: failed.count,
  })
}
