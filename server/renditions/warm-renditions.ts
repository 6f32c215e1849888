import { setTimeout as sleep } from 'node:timers/promises'
import { findEvent } from '../events/event-rows.ts'
import { isExpired } from '../events/event-rules.ts'
import { AppError } from '../platform/app-error.ts'
import { RecentMap } from '../platform/background/recent-map.ts'
import { minutes, seconds } from '../platform/clock.ts'
import { FileMissing } from '../platform/storage/storage.ts'
import type { AppContext } from '../settings/app-context.ts'
import { downloadRequest, guestProfile } from './guest-profile.ts'
import { isWidestRequested, listPhotosWithoutRendition } from './photos-without-rendition.ts'
import type { PhotoToRender } from './render-photo.ts'
import { fullSizePx, type RenditionRequest } from './rendition-rows.ts'
import { chooseWidth, narrowestPx, sizeInProfile, widestPx } from './rendition-rules.ts'
import type { Renditions } from './renditions.ts'
import { createWarmingQueue, type WarmingQueue } from './warming-queue.ts'

/** Pictures that a download waits for may take two cores; work in advance takes one. */
const concurrency = { urgent: 2, inAdvance: 1 }
const retryMs = minutes(10)
/** Share of the time that the main thread may be busy. Above it, requests come first. */
const maxMainThreadLoad = 0.3
const loadCheckMs = 100
/** After this many missing originals in a row the storage is probably unavailable. */
const maxLostInARow = 20

/**
 * Makes renditions in the background when the image workers have had no foreground job for `idleMs` and the main thread
 * is not busy. Renditions of `requestRenditionsSoon` come first and do not wait.
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

  /** Schedules a run unless one is scheduled or running. A delay of 0 replaces a later schedule. */
  function plan(delayMs: number): void {
    if (signal.aborted || running || (timer && delayMs > 0)) return
    clearTimeout(timer)
    timer = setTimeout(begin, delayMs).unref()
  }

  function begin(): void {
    timer = undefined
    running = warmAll()
      .then(() => idleMs)
      .catch((err) => {
        if (!signal.aborted) ctx.log.error({ err }, 'Could not create renditions in the background')
        return retryMs
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

  /** Makes requested renditions first and as foreground jobs, because a download waits for them. */
  function warmRequested(): Promise<void> {
    requestedRun ??= (async () => {
      for (let next = queue.takeRequested(); next !== null && !signal.aborted; next = queue.takeRequested()) {
        await warmDownloads(next.eventId, next.widthPx, null)
      }
    })().finally(() => {
      requestedRun = null
    })
    return requestedRun
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

/** Waits before each picture; null for urgent work. */
type WaitBeforeNext = (() => Promise<void>) | null

type Warmer = ReturnType<typeof createWarmer>

function createWarmer(ctx: AppContext, renditions: Renditions, signal: AbortSignal) {
  const { db } = ctx
  const failedPhotos = new RecentMap<string, true>(10_000)

  const failureKey = ({ id, content_hash }: PhotoToRender) => `${id} ${content_hash}`

  /**
   * Makes the rendition and returns whether the original is missing. The last 10,000 photos that failed are skipped
   * until their file is replaced or the service restarts.
   */
  async function isLost(photo: PhotoToRender, request: RenditionRequest, isUrgent: boolean): Promise<boolean> {
    try {
      await renditions.warm(photo, request, { isUrgent })
      return false
    } catch (error) {
      const isMissing = error instanceof FileMissing
      if (!isMissing && !(error instanceof AppError)) throw error
      failedPhotos.set(failureKey(photo), true)
      return isMissing
    }
  }

  async function makeEach(
    photos: AsyncGenerator<PhotoToRender, void>,
    requestFor: (photo: PhotoToRender) => RenditionRequest | null,
    waitBeforeNext: WaitBeforeNext,
  ): Promise<void> {
    let lostInARow = 0
    const makeNext = async () => {
      for await (const photo of photos) {
        const request = requestFor(photo)
        if (!request || failedPhotos.get(failureKey(photo))) continue
        await waitBeforeNext?.()
        if (signal.aborted || lostInARow >= maxLostInARow) return
        lostInARow = (await isLost(photo, request, waitBeforeNext === null)) ? lostInARow + 1 : 0
      }
    }
    const length = waitBeforeNext === null ? concurrency.urgent : concurrency.inAdvance
    const results = await Promise.allSettled(Array.from({ length }, makeNext))
    for (const end of results) if (end.status === 'rejected') throw end.reason
  }

  /** Makes what `downloadRequest` returns for each photo. */
  async function warmDownloads(eventId: number, widthPx: number | null, waitBeforeNext: WaitBeforeNext): Promise<void> {
    const open = await loadOpenEvent(ctx, eventId)
    if (!open) return
    const { event, profile } = open
    const makeBound = async (bound_px: number) => {
      const lacking = listPhotosWithoutRendition(db, event, { profile, format: 'jpeg', bound_px }, { isExact: true })
      const requestFor = (photo: PhotoToRender) => {
        const request = downloadRequest(profile, photo, widthPx)
        return request?.bound_px === bound_px ? request : null
      }
      await makeEach(lacking, requestFor, waitBeforeNext)
    }
    if (widthPx !== null) await makeBound(widthPx)
    if (profile.watermark !== null || profile.capPx !== null) await makeBound(fullSizePx)
  }

  async function warmEvent(eventId: number, waitBeforeNext: WaitBeforeNext): Promise<void> {
    await warmDownloads(eventId, null, waitBeforeNext)
    const open = await loadOpenEvent(ctx, eventId)
    if (!open) return
    const { event, profile, settings } = open
    const makeWidth = async (width: number) => {
      const request: RenditionRequest = { profile, format: settings.media_avif ? 'avif' : 'webp', bound_px: width }
      if (width === widestPx && !(await isWidestRequested(db, eventId, request))) return
      const hasWidth = (photo: PhotoToRender) => chooseWidth(width, sizeInProfile(photo, profile)) === width
      const requestFor = (photo: PhotoToRender) => (hasWidth(photo) ? request : null)
      await makeEach(listPhotosWithoutRendition(db, event, request), requestFor, waitBeforeNext)
    }
    await makeWidth(narrowestPx)
    await makeWidth(widestPx)
  }

  return { warmEvent, warmDownloads }
}

/** Returns null if the event is deleted, archived or expired. */
async function loadOpenEvent({ db, clock, settings }: AppContext, eventId: number) {
  const [event, values] = await Promise.all([findEvent(db, eventId), settings.values()])
  if (!event || event.is_archived === 1 || isExpired(event, clock.now())) return null
  return { event, settings: values, profile: guestProfile(event, values) }
}
