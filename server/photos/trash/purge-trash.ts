import { purgeEvents } from '../../events/trash/empty-event-trash.ts'
import { trashedBefore } from '../../events/trash/trash-rules.ts'
import { inSnapshot } from '../../platform/database/transaction.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { deleteTrashedPhotos } from './trash-photos.ts'

/** A limit for the ids that are in memory at once. */
const idsPerRead = 10_000

/** Deletes for good what has been in the trash for 30 days. */
export async function purgeTrash(ctx: AppContext): Promise<void> {
  const { db, clock, log } = ctx
  const events = await purgeEvents(ctx)
  let photos = 0
  for (;;) {
    const due = await inSnapshot(db, (tx) =>
      tx
        .selectFrom('trashed_photos')
        .select(['event_id', 'id'])
        .where('trashed_at', '<=', trashedBefore(clock.now()))
        .orderBy('trashed_at')
        .limit(idsPerRead)
        .execute(),
    )
    if (due.length === 0) break
    for (const [eventId, rows] of Map.groupBy(due, ({ event_id }) => event_id)) {
      await deleteTrashedPhotos(
        ctx,
        eventId,
        rows.map(({ id }) => id),
      )
    }
    photos += due.length
  }
  if (events + photos > 0) log.info({ events, photos }, 'Deleted what was in the trash for 30 days')
}

/** Deletes all photos that are in the trash of an event. Returns how many. */
export async function emptyPhotoTrash(ctx: AppContext, eventId: number): Promise<number> {
  const trashed = await ctx.db.selectFrom('trashed_photos').select('id').where('event_id', '=', eventId).execute()
  const ids = trashed.map(({ id }) => id)
  return (await deleteTrashedPhotos(ctx, eventId, ids)).done.length
}
