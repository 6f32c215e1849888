import { setTimeout as sleep } from 'node:timers/promises'
import { findEvent } from '../events/event-rows.ts'
import { isExpired } from '../events/event-rules.ts'
import { AppError } from '../platform/app-error.ts'
import { RecentMap } from '../platform/background/recent-map.ts'
import { minutes, seconds } from '../platform/clock.ts'
import { FileMissing } from '../platform/storage/storage.ts'
import type { AppContext } from '../settings/app-context.ts'
import { fullSizeRequest, guestProfile } from './guest-look.ts'
import { photosLacking } from './photos-lacking.ts'
import type { PhotoToRender } from './render-photo.ts'
import { type RenditionRequest, wholePx } from './rendition-rows.ts'
import { sizeInProfile, stepsOf } from './rendition-rules.ts'
import type { Renditions } from './renditions.ts'
import { createWarmList } from './warm-list.ts'

const atOnce = 2
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
  restMs = seconds(10),
): { stop: () => Promise<void> } {
  const { imageWorkers, log } = ctx
  const list = createWarmList(ctx)
  const givenUp = new RecentMap<string, true>(10_000)
  let underWay: Promise<void> | null = null
  let requestedRun: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null
  let isStopped = false

  /** A delay of 0 replaces a later schedule. */
  function plan(afterMs: number): void {
    if (isStopped || underWay || (timer && afterMs > 0)) return
    if (timer) clearTimeout(timer)
    timer = setTimeout(begin, afterMs)
    timer.unref()
  }

  function begin(): void {
    timer = null
    underWay = warmAll()
      .then(() => 0)
      .catch((err) => {
        if (!isStopped) log.error({ err }, 'Pictures could not be made in the background')
        return retryMs
      })
      .then((pauseMs) => {
        underWay = null
        if (list.hasWork()) plan(pauseMs || restMs)
      })
  }

  async function warmAll(): Promise<void> {
    await warmRequested()
    for (let eventId = await list.next(); eventId !== null && !isStopped; eventId = await list.next()) {
      const unfinished = eventId
      // Skipped if another node is working on this event.
      await ctx.database
        .alone(`pictures of event ${eventId}`, () => warmEvent(unfinished))
        .catch((error) => {
          list.putBack(unfinished)
          throw error
        })
    }
  }

  /** Runs before all other warming, with the priority of uploads and views, because a download waits for it. */
  function warmRequested(): Promise<void> {
    requestedRun ??= (async () => {
      for (let eventId = list.wished(); eventId !== null && !isStopped; eventId = list.wished()) {
        await warmWholes(eventId, null)
      }
    })().finally(() => {
      requestedRun = null
    })
    return requestedRun
  }

  async function untilRest(): Promise<void> {
    for (;;) {
      await warmRequested()
      const leftMs = restMs - (performance.now() - imageWorkers.lastWantedAt())
      if (leftMs <= 0 || isStopped) return
      await sleep(Math.min(leftMs, 500), undefined, { ref: false })
    }
  }

  async function warmEvent(eventId: number): Promise<void> {
    await warmWholes(eventId, untilRest)
    const shown = await getShown(eventId)
    if (!shown) return
    const format = shown.settings.media_avif ? 'avif' : 'webp'
    const wishOf = (photo: PhotoToRender): RenditionRequest => {
      const [bound_px = 0] = stepsOf(sizeInProfile(photo, shown.look))
      return { look: shown.look, format, bound_px }
    }
    await makeEach(photosLacking(ctx.db, eventId, { look: shown.look, format, bound_px: 0 }), wishOf, untilRest)
  }

  async function warmWholes(eventId: number, mayGoOn: (() => Promise<void>) | null): Promise<void> {
    const look = (await getShown(eventId))?.look
    if (!look || (look.watermark === null && look.capPx === null)) return
    const lacking = photosLacking(ctx.db, eventId, { look, format: 'jpeg', bound_px: wholePx })
    await makeEach(lacking, (photo) => fullSizeRequest(look, photo), mayGoOn)
  }

  /** Returns null if guests cannot see the gallery. */
  async function getShown(eventId: number) {
    const [event, settings] = await Promise.all([findEvent(ctx.db, eventId), ctx.settings.values()])
    if (!event || event.is_archived === 1 || isExpired(event, ctx.clock.now())) return null
    return { settings, look: guestProfile(event, settings) }
  }

  async function makeEach(
    photos: AsyncGenerator<PhotoToRender, void>,
    wishOf: (photo: PhotoToRender) => RenditionRequest | null,
    mayGoOn: (() => Promise<void>) | null,
  ): Promise<void> {
    let lostInARow = 0
    const makeNext = async () => {
      for await (const photo of photos) {
        await mayGoOn?.()
        if (isStopped || lostInARow >= maxLostInARow) return
        const wish = wishOf(photo)
        if (wish) lostInARow = (await make(photo, wish, mayGoOn === null)) === 'lost' ? lostInARow + 1 : 0
      }
    }
    const ends = await Promise.allSettled(Array.from({ length: atOnce }, makeNext))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  /** Failed photos are not tried again until a restart. */
  async function make(
    photo: PhotoToRender,
    wish: RenditionRequest,
    isWanted: boolean,
  ): Promise<'made' | 'lost' | 'refused'> {
    const key = `${photo.id} ${photo.content_hash}`
    if (givenUp.get(key)) return 'refused'
    try {
      await renditions.warm(photo, wish, { isWanted })
      return 'made'
    } catch (error) {
      const isLost = error instanceof FileMissing
      if (!isLost && !(error instanceof AppError)) throw error
      givenUp.set(key, true)
      return isLost ? 'lost' : 'refused'
    }
  }

  list.onWork((isRequested) => plan(isRequested ? 0 : restMs))
  plan(restMs)

  return {
    async stop() {
      isStopped = true
      if (timer) clearTimeout(timer)
      imageWorkers.endBackground()
      await underWay
    },
  }
}
