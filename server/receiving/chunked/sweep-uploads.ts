import { inSnapshot } from '../../platform/database/transaction.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { hours } from '../../platform/time/clock.ts'

/** Time for operations that still run when an upload expires. */
const graceMs = hours(1)
const rowsAtOnce = 1000

/** Deletes expired uploads, and chunks without a running upload, such as those that a crash has left. */
export async function sweepUploads(ctx: PlatformContext): Promise<void> {
  const { storage, clock, log } = ctx
  const expired = await deleteExpired(ctx)
  let removed = 0
  for await (const { key, modifiedAt } of storage.multipart.list('events')) {
    if (await isRunning(ctx, key)) continue
    // A request for an aborted upload may still be writing.
    if (modifiedAt > clock.now() - graceMs) continue
    await storage.multipart.remove(key)
    removed++
  }
  if (expired + removed > 0) log.info({ expired, removed }, 'Swept abandoned uploads')
}

/** Also deletes failed uploads of guests after an hour, because guests can cause any number of them. */
async function deleteExpired({ db, clock }: PlatformContext): Promise<number> {
  const due = clock.now() - graceMs
  for (let deleted = 0; ; ) {
    const ids = await inSnapshot(db, async (tx) => {
      const rows = await tx
        .selectFrom('chunked_uploads')
        .select('id')
        .where((where) =>
          where.or([
            where('expires_at', '<', due),
            where.and([
              where('status', '=', 'failed'),
              where('guest_id', 'is not', null),
              where('active_at', '<', due),
            ]),
          ]),
        )
        .limit(rowsAtOnce)
        .execute()
      return rows.map(({ id }) => id)
    })
    if (ids.length > 0) await db.deleteFrom('chunked_uploads').where('id', 'in', ids).execute()
    deleted += ids.length
    if (ids.length < rowsAtOnce) return deleted
  }
}

async function isRunning({ db }: PlatformContext, handle: string): Promise<boolean> {
  const running = db.selectFrom('chunked_uploads').select('id').where('status', '=', 'in_progress')
  return (await running.where('parted_handle', '=', handle).executeTakeFirst()) !== undefined
}
