import { AppError } from '../platform/app-error.ts'
import type { PixelSize } from '../platform/media/image-tasks.ts'
import { BackgroundEnded } from '../platform/media/image-workers.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { originalKey } from './photo-files.ts'
import { countWithoutSize, nextWithoutSize, type PhotoWithoutSize } from './photos-without-size.ts'
import { claimRepair, endRepair, type RepairOutcome, renewEveryMs, renewRepair } from './repair-rows.ts'

const photosAtOnce = 100
/** Only the header is read. */
const measuringBytes = 32 * 2 ** 20

export type DimensionRepair = {
  /** Starts a run in the background; returns the number of photos without a size. Throws REPAIR_RUNNING. */
  start: () => Promise<number>
  stop: () => Promise<void>
}

/** One run at a time on all nodes. Photos with a missing or damaged file are tried again by the next run. */
export function createDimensionRepair(ctx: PlatformContext): DimensionRepair {
  let underWay: Promise<void> | null = null
  let isStopped = false

  return {
    async start() {
      const count = await countWithoutSize(ctx)
      const holder = await claimRepair(ctx)
      if (holder === null) throw new AppError('REPAIR_RUNNING')
      underWay = run(ctx, holder, () => isStopped)
        .catch((err) => ctx.log.error({ err }, 'The repair of sizes has failed'))
        .finally(() => {
          underWay = null
        })
      return count
    },
    async stop() {
      isStopped = true
      await underWay
    },
  }
}

/** Records the outcome also after an abort or error. */
async function run(ctx: PlatformContext, holder: string, isStopped: () => boolean): Promise<void> {
  const { clock, log } = ctx
  const outcome = { success: 0, failed: 0, startedAt: clock.now() }
  let isLost = false
  const renewal = setInterval(() => {
    renewRepair(ctx, holder)
      .then((isOurs) => {
        isLost = !isOurs
      })
      .catch((err) => log.warn({ err }, 'The lease of the repair could not be renewed'))
  }, renewEveryMs)
  try {
    await repairAll(ctx, outcome, () => isStopped() || isLost)
  } catch (error) {
    if (!(error instanceof BackgroundEnded)) throw error
  } finally {
    clearInterval(renewal)
    await endRepair(ctx, holder, outcome)
  }
  log.info({ success: outcome.success, failed: outcome.failed }, 'The repair of sizes has ended')
}

async function repairAll(ctx: PlatformContext, outcome: RepairOutcome, mustEnd: () => boolean): Promise<void> {
  for (let last = 0; ; ) {
    const photos = await nextWithoutSize(ctx, last, photosAtOnce)
    for (const photo of photos) {
      if (mustEnd()) return
      last = photo.id
      const size = await measure(ctx, photo)
      if (size === null) outcome.failed++
      else if (await keepSize(ctx, photo, size)) outcome.success++
    }
    if (photos.length < photosAtOnce) return
  }
}

/** Returns null if the file is missing or damaged. Throws BackgroundEnded when the service stops. */
async function measure(
  { storage, imageWorkers, log }: PlatformContext,
  { id, event_id, filename, size_bytes }: PhotoWithoutSize,
): Promise<PixelSize | null> {
  const nobodyWaits = { wanted: new AbortController().signal }
  try {
    const result = await storage.withLocalFile(
      originalKey(event_id, filename),
      (sourcePath) => imageWorkers.run({ kind: 'measure', sourcePath }, measuringBytes, nobodyWaits),
      size_bytes,
    )
    if (result.outcome === 'made') return result.facts
    log.warn({ photoId: id, reason: result.reason }, 'The size of a photo could not be read')
  } catch (error) {
    if (error instanceof BackgroundEnded) throw error
    log.warn({ err: error, photoId: id }, 'The size of a photo could not be read')
  }
  return null
}

async function keepSize(
  { db, clock, changes }: PlatformContext,
  { id, content_hash }: PhotoWithoutSize,
  { width, height }: PixelSize,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('photos')
    .set({ width, height, updated_at: clock.now() })
    .where('id', '=', id)
    .where('content_hash', '=', content_hash)
    .executeTakeFirst()
  changes.tell('photo', id)
  return numUpdatedRows === 1n
}
