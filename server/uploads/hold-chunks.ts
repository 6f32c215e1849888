import { seconds } from '../platform/clock.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { UploadRow } from './upload-rows.ts'
import type { UploadsContext } from './uploads-context.ts'

const holdMs = seconds(15)
const renewEveryMs = seconds(5)

/**
 * Prevents all nodes from deleting received chunks while `work` creates the photo. If the node dies, the hold ends
 * after 15 seconds. SQLite has a single process, for which `uploadGate` is enough.
 */
export async function holdChunks<T>(ctx: UploadsContext, upload: UploadRow, work: () => Promise<T>): Promise<T> {
  if (ctx.database.kind === 'sqlite') return work()
  await hold(ctx, upload, holdMs)
  const warn = (err: unknown) => ctx.log.warn({ err }, 'It could not be noted that an upload is being completed')
  const renewing = setInterval(() => void hold(ctx, upload, holdMs).catch(warn), renewEveryMs)
  try {
    return await work()
  } finally {
    clearInterval(renewing)
    await hold(ctx, upload, 0).catch(warn)
  }
}

/** Uses the lock of the transactions that delete chunks, so that each one sees the result of the one before. */
const hold = ({ db, clock }: UploadsContext, { id, event_id }: UploadRow, forMs: number): Promise<void> =>
  inTransaction(db, `event ${event_id}`, async (tx) => {
    const until = forMs === 0 ? 0 : clock.now() + forMs
    const running = tx.updateTable('chunked_uploads').set({ completing_until: until }).where('id', '=', id)
    await running.where('status', '=', 'in_progress').execute()
  })
