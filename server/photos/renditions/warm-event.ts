import { findEvent } from '../../events/event-rows.ts'
import { isExpired } from '../../events/event-rules.ts'
import { RecentMap } from '../../platform/background/recent-map.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { FileMissing } from '../../platform/storage/storage.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { isTemporary } from './failed-jpegs.ts'
import { downloadRequest, guestProfile } from './guest-profile.ts'
import { isWidestRequested, listPhotosWithoutRendition } from './photos-without-rendition.ts'
import type { PhotoToRender } from './render-photo.ts'
import { fullSizePx, type RenditionRequest } from './rendition-rows.ts'
import { chooseWidth, narrowestPx, sizeInProfile, widestPx } from './rendition-rules.ts'
import type { Renditions } from './renditions.ts'

/** Pictures that a download waits for may take two cores; work in advance takes one. */
const concurrency = { urgent: 2, inAdvance: 1 }
/** After this many failures in a row, other than of damaged photos, the storage is probably unavailable. */
const maxFailedInARow = 20

/** Waits before each picture; null for urgent work. */
type WaitBeforeNext = (() => Promise<void>) | null

export type Warmer = ReturnType<typeof createWarmer>

/** Makes renditions of one event. Without an open event, both functions do nothing. */
export function createWarmer(ctx: AppContext, renditions: Renditions, signal: AbortSignal) {
  const { db } = ctx
  const failedPhotos = new RecentMap<string, true>(10_000)

  const failureKey = ({ id, content_hash }: PhotoToRender) => `${id} ${content_hash}`

  /** Returns the error if there is one. Throws an error that is temporary and not of this photo. */
  async function tryToMake(photo: PhotoToRender, request: RenditionRequest, isUrgent: boolean): Promise<unknown> {
    try {
      await renditions.warm(photo, request, { isUrgent })
      return null
    } catch (error) {
      const isKnown = error instanceof FileMissing || error instanceof AppError
      if (!isKnown && isTemporary(error)) throw error
      if (isKnown) failedPhotos.set(failureKey(photo), true)
      return error
    }
  }

  /**
   * In advance, the last 10,000 photos that failed are skipped until their file is replaced or the service restarts. A
   * download waits for each photo unless `hasFailed` returns true, so only these photos are skipped for it.
   */
  const isSkipped = (photo: PhotoToRender, request: RenditionRequest, isUrgent: boolean): boolean =>
    isUrgent ? renditions.hasFailed(photo, request) : failedPhotos.get(failureKey(photo)) === true

  /** An unexpected error of one photo is thrown after the other photos are made. */
  async function makeEach(
    photos: AsyncGenerator<PhotoToRender, void>,
    requestFor: (photo: PhotoToRender) => RenditionRequest | null,
    waitBeforeNext: WaitBeforeNext,
  ): Promise<void> {
    const isUrgent = waitBeforeNext === null
    let failedInARow = 0
    let unexpected: unknown = null
    const makeNext = async () => {
      for await (const photo of photos) {
        const request = requestFor(photo)
        if (!request || isSkipped(photo, request, isUrgent)) continue
        await waitBeforeNext?.()
        if (signal.aborted || failedInARow >= maxFailedInARow) return
        const error = await tryToMake(photo, request, isUrgent)
        failedInARow = error === null || error instanceof AppError ? 0 : failedInARow + 1
        if (!(error instanceof AppError) && !(error instanceof FileMissing)) unexpected ??= error
      }
    }
    const length = isUrgent ? concurrency.urgent : concurrency.inAdvance
    const results = await Promise.allSettled(Array.from({ length }, makeNext))
    for (const end of results) if (end.status === 'rejected') throw end.reason
    if (unexpected !== null) throw unexpected
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
