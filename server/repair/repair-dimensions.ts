import { originalKey } from '../photos/photo-files.ts'
import { changeTotals } from '../photos/photo-totals.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { PixelSize } from '../platform/media/image-tasks.ts'
import { BackgroundCanceled } from '../platform/media/image-workers.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { countPhotosWithoutSize, findPhotosWithoutSize, type PhotoWithoutSize } from './photos-without-size.ts'
import { claimRepair, endRepair, type RepairOutcome, renewIntervalMs, renewRepair } from './repair-rows.ts'

const photosPerBatch = 100

export type DimensionRepair = ReturnType<typeof createDimensionRepair>

/** Only one repair runs at a time, across all nodes. The next run tries photos with a missing or damaged file again. */
export function createDimensionRepair(ctx: PlatformContext) {
  let currentRun: Promise<void> | null = null
  let isStopped = false

  return {
    /** Starts a run and returns the number of photos without a size. Throws REPAIR_RUNNING. */
    async start(): Promise<number> {
      const count = await countPhotosWithoutSize(ctx)
      const holder = await claimRepair(ctx)
      if (holder === null) throw new AppError('REPAIR_RUNNING')
      currentRun = run(ctx, holder, () => isStopped)
        .catch((err) => ctx.log.error({ err }, 'The repair of photo dimensions failed'))
        .finally(() => {
          currentRun = null
        })
      return count
    },
    async stop(): Promise<void> {
      isStopped = true
      await currentRun
    },
  }
}

/** Records the outcome even after a stop or an error, unless another run holds the lease. */
async function run(ctx: PlatformContext, holder: string, isStopped: () => boolean): Promise<void> {
  const { clock, log } = ctx
  const outcome = { success: 0, failed: 0, startedAt: clock.now() }
  let isLost = false
  const renewal = setInterval(() => {
    renewRepair(ctx, holder)
      .then((isOurs) => {
        isLost = !isOurs
      })
      .catch((err) => log.warn({ err }, 'Could not renew the lease of the repair'))
  }, renewIntervalMs)
  try {
    await repairAll(ctx, outcome, () => isStopped() || isLost)
  } catch (error) {
    if (!(error instanceof BackgroundCanceled)) throw error
  } finally {
    clearInterval(renewal)
    await endRepair(ctx, holder, outcome)
  }
  log.info({ success: outcome.success, failed: outcome.failed }, 'The repair of photo dimensions finished')
}

async function repairAll(ctx: PlatformContext, outcome: RepairOutcome, shouldStop: () => boolean): Promise<void> {
  for (let last = 0; ; ) {
    const photos = await findPhotosWithoutSize(ctx, last, photosPerBatch)
    for (const photo of photos) {
      if (shouldStop()) return
      last = photo.id
      const size = await measurePhoto(ctx, photo)
      if (size === null) outcome.failed++
      else if (await storeSize(ctx, photo, size)) outcome.success++
    }
    if (photos.length < photosPerBatch) return
  }
}

/** Throws BackgroundCanceled when the service stops. Returns null after any other error, such as a missing file. */
async function measurePhoto(
  { storage, imageWorkers, log }: PlatformContext,
  { id, event_id, filename, size_bytes }: PhotoWithoutSize,
): Promise<PixelSize | null> {
  const background = { promoted: new AbortController().signal }
  try {
    const result = await storage.withLocalFile(
      originalKey(event_id, filename),
      (sourcePath) => imageWorkers.run({ kind: 'measure', sourcePath }, background),
      size_bytes,
    )
    if (result.outcome === 'made') return result.facts
    log.warn({ photoId: id, reason: result.reason }, 'Could not read the dimensions of a photo')
  } catch (error) {
    if (error instanceof BackgroundCanceled) throw error
    log.warn({ err: error, photoId: id }, 'Could not read the dimensions of a photo')
  }
  return null
}

async function storeSize(
  { db, clock, changes }: PlatformContext,
  { id, event_id, content_hash }: PhotoWithoutSize,
  { width, height }: PixelSize,
): Promise<boolean> {
  const isStored = await inTransaction(db, `event ${event_id}`, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('photos')
      .set({ width, height, updated_at: clock.now() })
      .where('id', '=', id)
      .where('content_hash', '=', content_hash)
      .executeTakeFirst()
    await changeTotals(tx, event_id, {})
    return numUpdatedRows === 1n
  })
  changes.notify('photo', id)
  return isStored
}
