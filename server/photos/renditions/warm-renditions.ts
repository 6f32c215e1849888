import { setTimeout as sleep } from 'node:timers/promises'
import { minutes, seconds } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import type { Renditions } from './renditions.ts'
import { createWarmer, type Warmer } from './warm-event.ts'
import { createWarmingQueue, type RequestedRenditions, type WarmingQueue } from './warming-queue.ts'

const retryMs = minutes(10)
/** Requested renditions that failed are tried again after the shorter time, then after twice the time, up to the longer. */
const requestedRetryMs = { min: seconds(2), max: minutes(1) }
/** Share of the time that the main thread may be busy. Above it, requests come first. */
const maxMainThreadLoad = 0.3
const loadCheckMs = 100

/**
 * Makes renditions in the background when the image workers have had no foreground job for `idleMs` and the main thread
 * is not busy. Renditions of `requestRenditionsSoon` come first and do not wait. After a failure they are tried again soon.
 */
export function startWarming(
  ctx: AppContext,
  renditions: Renditions,
  idleMs = seconds(10),
): { stop: () => Promise<void> } {
  const queue = createWarmingQueue(ctx)
  const stopping = new AbortController()
  const { signal } = stopping
  const warmAll = createWarmingRun(ctx, queue, createWarmer(ctx, renditions, signal), idleMs, signal)
  let running: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let nextRetryMs = requestedRetryMs.min

  /** Schedules a run unless one is scheduled or running. A delay of 0 replaces a later schedule. */
  function plan(delayMs: number): void {
    if (signal.aborted || running || (timer && delayMs > 0)) return
    clearTimeout(timer)
    timer = setTimeout(begin, delayMs).unref()
  }

  function begin(): void {
    timer = undefined
    running = warmAll()
      .then(() => {
        nextRetryMs = requestedRetryMs.min
        return queue.hasRequested() ? 0 : idleMs
      })
      .catch((err) => {
        if (!signal.aborted) ctx.log.error({ err }, 'Could not create renditions in the background')
        if (!queue.hasRequested()) return retryMs
        const pauseMs = nextRetryMs
        nextRetryMs = Math.min(pauseMs * 2, requestedRetryMs.max)
        return pauseMs
      })
      .then((pauseMs) => {
        running = null
        if (queue.hasWork()) plan(pauseMs)
      })
  }

  queue.onWork((isRequested) => plan(isRequested ? 0 : idleMs))
  plan(idleMs)

  return {
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      ctx.imageWorkers.cancelBackground()
      await running
    },
  }
}

function createWarmingRun(
  { database, imageWorkers }: AppContext,
  queue: WarmingQueue,
  { warmEvent, warmDownloads }: Warmer,
  idleMs: number,
  signal: AbortSignal,
): () => Promise<void> {
  let requestedRun: Promise<void> | null = null

  /**
   * Makes requested renditions first and as foreground jobs, because a download waits for them. Requests that fail stay
   * in the queue, and the first error is thrown after the others.
   */
  function warmRequested(): Promise<void> {
    requestedRun ??= makeRequested().finally(() => {
      requestedRun = null
    })
    return requestedRun
  }

  async function makeRequested(): Promise<void> {
    const failed: { request: RequestedRenditions; error: unknown }[] = []
    for (let next = queue.takeRequested(); next !== null && !signal.aborted; next = queue.takeRequested()) {
      const request = next
      const warm = warmDownloads(request.eventId, request.widthPx, null)
      await warm.catch((error) => failed.push({ request, error }))
    }
    for (const { request } of failed) queue.putBackRequested(request)
    if (failed[0]) throw failed[0].error
  }

  let measured = { at: performance.now(), total: performance.eventLoopUtilization(), isBusy: false }

  /** Measured since the previous call, over `loadCheckMs` at least. */
  function isMainThreadBusy(): boolean {
    const at = performance.now()
    if (at - measured.at < loadCheckMs) return measured.isBusy
    const total = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(total, measured.total)
    measured = { at, total, isBusy: utilization > maxMainThreadLoad }
    return measured.isBusy
  }

  async function waitUntilIdle(): Promise<void> {
    for (;;) {
      await warmRequested()
      if (signal.aborted) return
      const leftMs = idleMs - (performance.now() - imageWorkers.lastForegroundAt())
      if (leftMs <= 0 && !isMainThreadBusy()) return
      await sleep(Math.min(Math.max(leftMs, loadCheckMs), 500), undefined, { ref: false })
    }
  }

  return async () => {
    await warmRequested()
    for (let eventId = await queue.next(); eventId !== null && !signal.aborted; eventId = await queue.next()) {
      const unfinished = eventId
      const warm = () => warmEvent(unfinished, waitUntilIdle)
      // Skipped if another node is working on this event.
      await database.runExclusively(`pictures of event ${unfinished}`, warm).catch((error) => {
        queue.putBack(unfinished)
        throw error
      })
    }
  }
}
