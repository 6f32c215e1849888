import { setTimeout as sleep } from 'node:timers/promises'
import { findEvent } from '../events/event-rows.ts'
import { isExpired } from '../events/event-rules.ts'
import { AppError } from '../platform/app-error.ts'
import { RecentMap } from '../platform/background/recent-map.ts'
import { minutes, seconds } from '../platform/clock.ts'
import { FileMissing } from '../platform/storage/storage.ts'
import type { AppContext } from '../settings/app-context.ts'
import { fullSizeRequest, guestProfile } from './guest-profile.ts'
import { listPhotosWithoutRendition } from './photos-without-rendition.ts'
import type { PhotoToRender } from './render-photo.ts'
import { fullSizePx, type RenditionRequest } from './rendition-rows.ts'
import { listWidths, sizeInProfile } from './rendition-rules.ts'
import type { Renditions } from './renditions.ts'
import { createWarmingQueue } from './warming-queue.ts'

const concurrency = 2
const retryMs = minutes(10)
/** After this many missing originals in a row the storage is probably unavailable. */
const maxLostInARow = 20

/**
 * Makes the renditions that guests will need. Starts when the image workers were idle for `idleMs`; requests of
 * `requestRenditionsSoon` start at once.
 */
export function startWarming(
  ctx: AppContext,
  renditions: Renditions,
  idleMs = seconds(10),
): { stop: () => Promise<void> } {
  const { imageWorkers, log } = ctx
  const list = createWarmingQueue(ctx)
  const failedPhotos = new RecentMap<string, true>(10_000)
  let running: Promise<void> | null = null
  let requestedRun: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null
  let isStopped = false

  /** A delay of 0 replaces a later schedule. */
  function plan(delayMs: number): void {
    if (isStopped || running || (timer && delayMs > 0)) return
    if (timer) clearTimeout(timer)
    timer = setTimeout(begin, delayMs)
    timer.unref()
  }

  function begin(): void {
    timer = null
    running = warmAll()
      .then(() => 0)
      .catch((err) => {
        if (!isStopped) log.error({ err }, 'Pictures could not be made in the background')
        return retryMs
      })
      .then((pauseMs) => {
        running = null
        if (list.hasWork()) plan(pauseMs || idleMs)
      })
  }

  async function warmAll(): Promise<void> {
    await warmRequested()
    for (let eventId = await list.next(); eventId !== null && !isStopped; eventId = await list.next()) {
      const unfinished = eventId
      // Skipped if another node is working on this event.
      await ctx.database
        .runExclusively(`pictures of event ${eventId}`, () => warmEvent(unfinished))
        .catch((error) => {
          list.putBack(unfinished)
          throw error
        })
    }
  }

  /** Runs before all other warming, with the priority of uploads and views, because a download waits for it. */
  function warmRequested(): Promise<void> {
    requestedRun ??= (async () => {
      for (let eventId = list.takeRequested(); eventId !== null && !isStopped; eventId = list.takeRequested()) {
        await warmFullSizes(eventId, null)
      }
    })().finally(() => {
      requestedRun = null
    })
    return requestedRun
  }

  async function waitUntilIdle(): Promise<void> {
    for (;;) {
      await warmRequested()
      const leftMs = idleMs - (performance.now() - imageWorkers.lastForegroundAt())
      if (leftMs <= 0 || isStopped) return
      await sleep(Math.min(leftMs, 500), undefined, { ref: false })
    }
  }

  async function warmEvent(eventId: number): Promise<void> {
    await warmFullSizes(eventId, waitUntilIdle)
    const openEvent = await loadOpenEvent(eventId)
    if (!openEvent) return
    const format = openEvent.settings.media_avif ? 'avif' : 'webp'
    const requestFor = (photo: PhotoToRender): RenditionRequest => {
      const [bound_px = 0] = listWidths(sizeInProfile(photo, openEvent.profile))
      return { profile: openEvent.profile, format, bound_px }
    }
    await makeEach(
      listPhotosWithoutRendition(ctx.db, eventId, { profile: openEvent.profile, format, bound_px: 0 }),
      requestFor,
      waitUntilIdle,
    )
  }

  async function warmFullSizes(eventId: number, waitBeforeNext: (() => Promise<void>) | null): Promise<void> {
    const profile = (await loadOpenEvent(eventId))?.profile
    if (!profile || (profile.watermark === null && profile.capPx === null)) return
    const lacking = listPhotosWithoutRendition(ctx.db, eventId, { profile, format: 'jpeg', bound_px: fullSizePx })
    await makeEach(lacking, (photo) => fullSizeRequest(profile, photo), waitBeforeNext)
  }

  /** Returns null if guests cannot see the gallery. */
  async function loadOpenEvent(eventId: number) {
    const [event, settings] = await Promise.all([findEvent(ctx.db, eventId), ctx.settings.values()])
    if (!event || event.is_archived === 1 || isExpired(event, ctx.clock.now())) return null
    return { settings, profile: guestProfile(event, settings) }
  }

  async function makeEach(
    photos: AsyncGenerator<PhotoToRender, void>,
    requestFor: (photo: PhotoToRender) => RenditionRequest | null,
    waitBeforeNext: (() => Promise<void>) | null,
  ): Promise<void> {
    let lostInARow = 0
    const makeNext = async () => {
      for await (const photo of photos) {
        await waitBeforeNext?.()
        if (isStopped || lostInARow >= maxLostInARow) return
        const request = requestFor(photo)
        if (request) lostInARow = (await make(photo, request, waitBeforeNext === null)) === 'lost' ? lostInARow + 1 : 0
      }
    }
    const results = await Promise.allSettled(Array.from({ length: concurrency }, makeNext))
    for (const end of results) if (end.status === 'rejected') throw end.reason
  }

  /** Failed photos are not tried again until a restart. */
  async function make(
    photo: PhotoToRender,
    request: RenditionRequest,
    isUrgent: boolean,
  ): Promise<'made' | 'lost' | 'refused'> {
    const key = `${photo.id} ${photo.content_hash}`
    if (failedPhotos.get(key)) return 'refused'
    try {
      await renditions.warm(photo, request, { isUrgent })
      return 'made'
    } catch (error) {
      const isLost = error instanceof FileMissing
      if (!isLost && !(error instanceof AppError)) throw error
      failedPhotos.set(key, true)
      return isLost ? 'lost' : 'refused'
    }
  }

  list.onWork((isRequested) => plan(isRequested ? 0 : idleMs))
  plan(idleMs)

  return {
    async stop() {
      isStopped = true
      if (timer) clearTimeout(timer)
      imageWorkers.cancelBackground()
      await running
    },
  }
}
