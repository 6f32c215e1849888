import { createFailureLog, isOutage } from '../platform/background/failure-log.ts'
import { minutes, seconds } from '../platform/clock.ts'
import { FfmpegMissing } from '../platform/media/find-ffmpeg.ts'
import { StillEnded } from '../platform/media/video-stills.ts'
import { StorageFull } from '../platform/storage/storage.ts'
import type { AppContext } from '../settings/app-context.ts'
import { failVideo, processVideo } from './process-video.ts'
import { claimVideo, leaseMs, putBackVideo, renewClaim, type VideoJob } from './video-job-rows.ts'

/** Maximum time between two checks without a notification. */
const pollIntervalMs = seconds(30)
const renewEveryMs = leaseMs / 3
/** Delays after a temporary failure, and after one that an operator must fix. */
const retryMs = minutes(1)
const longRetryMs = minutes(5)
/** Prevents endless retries of a video that crashes the process. */
const maxAttempts = 3

/**
 * Processes one video at a time. A lease prevents several nodes from processing the same one; after a crash another
 * attempt starts when it ends.
 */
export function startVideoProcessing(ctx: AppContext): { stop: () => Promise<void> } {
  const { changes, log } = ctx
  const failures = createFailureLog(log, 'The videos to be processed could not be read')
  let isStopping = false
  let isWanted = false
  let looking: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let atWork = new AbortController()

  /** Returns the milliseconds until the next check. */
  async function look(): Promise<number> {
    while (!isStopping) {
      isWanted = false
      const next = await claimVideo(ctx)
      if (next === null) return pollIntervalMs
      if (typeof next !== 'number') await workOn(next)
      else if (next > 0) return Math.min(next, pollIntervalMs)
    }
    return pollIntervalMs
  }

  async function workOn(job: VideoJob): Promise<void> {
    if (job.attempts > maxAttempts) {
      await failVideo(ctx, job, 'The video could not be processed: the work on it was broken off several times.')
      return
    }
    atWork = new AbortController()
    const claim = keepClaim(ctx, job, atWork)
    try {
      await processVideo(ctx, job, atWork.signal)
    } catch (error) {
      await putBackVideo(ctx, await claim.end(), after(error))
    } finally {
      await claim.end()
    }
  }

  function after(error: unknown): { afterMs: number; isUncounted: boolean } {
    if (error instanceof StillEnded) return { afterMs: 0, isUncounted: true }
    if (error instanceof FfmpegMissing || error instanceof StorageFull) {
      log.error({ err: error }, 'Videos cannot be processed now; tried again in five minutes')
      return { afterMs: longRetryMs, isUncounted: true }
    }
    log.error({ err: error }, 'A video could not be processed; tried again in a minute')
    return { afterMs: retryMs, isUncounted: isOutage(error) }
  }

  function wake(): void {
    isWanted = true
    if (isStopping) return
    clearTimeout(timer)
    looking ??= look()
      .then(
        (pauseMs) => {
          failures.worked()
          return pauseMs
        },
        (error) => {
          failures.failed(error)
          return pollIntervalMs
        },
      )
      .then((pauseMs) => {
        looking = null
        if (isStopping) return
        timer = setTimeout(wake, isWanted ? 0 : pauseMs).unref()
      })
  }

  changes.on('video', wake)
  wake()

  return {
    /** Aborts the current video; the next start processes it again. */
    async stop() {
      isStopping = true
      clearTimeout(timer)
      atWork.abort()
      await looking
    },
  }
}

/** Aborts the work if the lease is lost. `end` returns the current lease. */
function keepClaim(ctx: AppContext, job: VideoJob, atWork: AbortController): { end: () => Promise<VideoJob> } {
  let claim = job
  let renewing: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    renewing = renewing.then(async () => {
      const renewed = await renewClaim(ctx, claim).catch((err) => {
        ctx.log.warn({ err }, 'The lease of a video could not be renewed')
        return claim
      })
      if (renewed) claim = renewed
      else atWork.abort()
    })
  }, renewEveryMs)
  timer.unref()
  return {
    async end() {
      clearInterval(timer)
      await renewing
      return claim
    },
  }
}
