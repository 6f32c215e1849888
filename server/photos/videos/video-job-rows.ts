import type { Selectable } from 'kysely'
import type { Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { seconds } from '../../platform/time/clock.ts'
import type { PhotoRow } from '../photo-rows.ts'

/** The row is deleted when the video is `ready` or `failed`. */
export type VideoJobTable = {
  photo_id: number
  /** Content hash of the original. A replacement changes it, so that work on the previous file is not recorded. */
  content_hash: string
  /** Number of attempts, without those that were released with `isUncounted`. */
  attempts: number
  /** End of the lease or of the retry delay, in epoch milliseconds. */
  claimed_until: number
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    video_jobs: VideoJobTable
  }
}

export type VideoJob = Selectable<VideoJobTable>

export const leaseMs = seconds(20)

/** After the commit, the calling function must call `changes.notify('video', photo.id)`. */
export async function queueVideo(tx: Tx, photo: Pick<PhotoRow, 'id' | 'content_hash'>): Promise<void> {
  const job = { content_hash: photo.content_hash, attempts: 0, claimed_until: 0 }
  await tx
    .insertInto('video_jobs')
    .values({ photo_id: photo.id, ...job })
    .onConflict((conflict) => conflict.column('photo_id').doUpdateSet(job))
    .execute()
}

/** Returns the claimed job, the milliseconds until a job may be due, or null if there is no job. */
export const claimVideo = ({ db, clock }: PlatformContext): Promise<VideoJob | number | null> =>
  inTransaction(db, 'work videos', async (tx) => {
    const now = clock.now()
    const next = await tx
      .selectFrom('video_jobs')
      .selectAll()
      .orderBy('claimed_until')
      .orderBy('photo_id')
      .limit(1)
      .executeTakeFirst()
    if (!next) return null
    if (next.claimed_until > now) return next.claimed_until - now
    const claim = { attempts: next.attempts + 1, claimed_until: now + leaseMs }
    const { numUpdatedRows } = await tx
      .updateTable('video_jobs')
      .set(claim)
      .where('photo_id', '=', next.photo_id)
      .where('claimed_until', '=', next.claimed_until)
      .where('content_hash', '=', next.content_hash)
      .executeTakeFirst()
    return numUpdatedRows === 0n ? 0 : { ...next, ...claim }
  })

/** Returns null if the video was replaced, deleted or claimed by another process. */
export async function renewClaim({ db, clock }: PlatformContext, job: VideoJob): Promise<VideoJob | null> {
  const renewed = { ...job, claimed_until: clock.now() + leaseMs }
  return (await setClaim(db, job, renewed)) ? renewed : null
}

/** `isUncounted`: the attempt does not count. */
export async function releaseVideo(
  { db, clock }: PlatformContext,
  job: VideoJob,
  { delayMs, isUncounted }: { delayMs: number; isUncounted: boolean },
): Promise<void> {
  await setClaim(db, job, {
    attempts: job.attempts - (isUncounted ? 1 : 0),
    claimed_until: delayMs === 0 ? 0 : clock.now() + delayMs,
  })
}

async function setClaim(
  db: PlatformContext['db'],
  job: VideoJob,
  { attempts, claimed_until }: Pick<VideoJob, 'attempts' | 'claimed_until'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('video_jobs')
    .set({ attempts, claimed_until })
    .where('photo_id', '=', job.photo_id)
    .where('content_hash', '=', job.content_hash)
    .where('claimed_until', '=', job.claimed_until)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function dropVideoJob(
  db: PlatformContext['db'],
  { photo_id, content_hash }: Pick<VideoJob, 'photo_id' | 'content_hash'>,
): Promise<void> {
  await db.deleteFrom('video_jobs').where('photo_id', '=', photo_id).where('content_hash', '=', content_hash).execute()
}
