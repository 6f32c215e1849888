import { createFailureLog, isOutage } from '../../platform/background/failure-log.ts'
import { ProgramMissing } from '../../platform/media/video/run-limited.ts'
import { StillCanceled } from '../../platform/media/video/video-stills.ts'
import { StorageFull } from '../../platform/storage/storage.ts'
import { minutes, seconds } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { failVideo, processVideo } from './process-video.ts'
import { claimVideo, leaseMs, releaseVideo, renewClaim, type VideoJob } from './video-job-rows.ts'

/** Maximum time between two checks without a notification. */
const pollIntervalMs = seconds(30)
const renewIntervalMs = leaseMs / 3
/** `retryMs`: delay after a temporary failure. `longRetryMs`: delay after a failure that an operator must fix. */
const retryMs = minutes(1)
const longRetryMs = minutes(5)
/** Prevents endless retries of a video that crashes the process. */
const maxAttempts = 3

/**
 * Processes one video at a time. A lease keeps other nodes from processing the same video; after a crash, the lease
 * expires and another attempt starts.
 */
export function startVideoProcessing(ctx: AppContext): { stop: () => Promise<void> } {
  const failures = createFailureLog(ctx.log, 'Could not read the video queue')
  let isStopping = false
  let hasNewWork = false
  let running: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let currentJob = new AbortController()

  /** Returns the milliseconds until the next check. */
  async function processDueVideos(): Promise<number> {
    while (!isStopping) {
      hasNewWork = false
      const next = await claimVideo(ctx)
      if (next === null) return pollIntervalMs
      if (typeof next !== 'number') {
        currentJob = new AbortController()
        await processJob(ctx, next, currentJob)
      } else if (next > 0) return Math.min(next, pollIntervalMs)
    }
    return pollIntervalMs
  }

  function wake(): void {
    hasNewWork = true
    if (isStopping) return
    clearTimeout(timer)
    running ??= processDueVideos()
      .then(
        (pauseMs) => {
          failures.succeeded()
          return pauseMs
        },
        (error) => {
          failures.failed(error)
          return pollIntervalMs
        },
      )
      .then((pauseMs) => {
        running = null
        if (isStopping) return
        timer = setTimeout(wake, hasNewWork ? 0 : pauseMs).unref()
      })
  }

  ctx.changes.on('video', wake)
  wake()

  return {
    /** Aborts the current video; the next start processes it again. */
    async stop() {
      isStopping = true
      clearTimeout(timer)
      currentJob.abort()
      await running
    },
  }
}

async function processJob(ctx: AppContext, job: VideoJob, currentJob: AbortController): Promise<void> {
  if (job.attempts > maxAttempts) {
    await failVideo(ctx, job, 'The video could not be processed because processing was interrupted several times.')
    return
  }
  const claim = startClaimRenewal(ctx, job, currentJob)
  try {
    await processVideo(ctx, job, currentJob.signal)
  } catch (error) {
    await releaseVideo(ctx, await claim.end(), getRetryPlan(ctx, error))
  } finally {
    await claim.end()
  }
}

function getRetryPlan({ log }: AppContext, error: unknown): { delayMs: number; isUncounted: boolean } {
  if (error instanceof StillCanceled) return { delayMs: 0, isUncounted: true }
  if (error instanceof ProgramMissing || error instanceof StorageFull) {
    log.error({ err: error }, 'Cannot process videos; retrying in five minutes')
    return { delayMs: longRetryMs, isUncounted: true }
  }
  log.error({ err: error }, 'Could not process a video; retrying in a minute')
  return { delayMs: retryMs, isUncounted: isOutage(error) }
}

/**
 * Renews the lease, and aborts the work if the lease is lost. `end` stops the renewal and returns the job with its
 * current lease.
 */
function startClaimRenewal(
  ctx: AppContext,
  job: VideoJob,
  currentJob: AbortController,
): { end: () => Promise<VideoJob> } {
  let claim = job
  let renewing: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    renewing = renewing.then(async () => {
      const renewed = await renewClaim(ctx, claim).catch((err) => {
        ctx.log.warn({ err }, 'Could not renew the lease of a video')
        return claim
      })
      if (renewed) claim = renewed
      else currentJob.abort()
    })
  }, renewIntervalMs)
  timer.unref()
  return {
    async end() {
      clearInterval(timer)
      await renewing
      return claim
    },
  }
}
