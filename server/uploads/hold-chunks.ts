import { seconds } from '../platform/clock.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { UploadRow } from './upload-rows.ts'
import type { UploadsContext } from './uploads-context.ts'

const heldMs = seconds(15)
const renewEveryMs = seconds(5)

/**
 * Has no node take away the mark of a chunk while `work` makes the photo of an upload. A node that dies there holds them for
 * a quarter of a minute. Two that complete one upload do not wait for each other: one of their transactions makes the photo.
 * On SQLite there is one process, which needs no more than its `uploadGate`.
 */
export async function holdChunks<T>(ctx: UploadsContext, upload: UploadRow, work: () => Promise<T>): Promise<T> {
  if (ctx.database.kind === 'sqlite') return work()
  await hold(ctx, upload, heldMs)
  const warn = (err: unknown) => ctx.log.warn({ err }, 'It could not be noted that an upload is being completed')
  const renewing = setInterval(() => void hold(ctx, upload, heldMs).catch(warn), renewEveryMs)
  try {
    return await work()
  } finally {
    clearInterval(renewing)
    await hold(ctx, upload, 0).catch(warn)
  }
}

/** Takes the lock of those who remove marks: whoever comes second sees what the first has done. */
const hold = ({ db, clock }: UploadsContext, { id, event_id }: UploadRow, forMs: number): Promise<void> =>
  inTransaction(db, `event ${event_id}`, async (tx) => {
    const until = forMs === 0 ? 0 : clock.now() + forMs
    const running = tx.updateTable('chunked_uploads').set({ completing_until: until }).where('id', '=', id)
    await running.where('status', '=', 'in_progress').execute()
  })
