import { LRUCache } from 'lru-cache'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { minutes, seconds } from '../../platform/time/clock.ts'
import { renditionKey } from '../photo-files.ts'
import { createFailedJpegs } from './failed-jpegs.ts'
import { type PhotoWithThumbnail, remakeThumbnail } from './remake-thumbnail.ts'
import type { PhotoToRender } from './render-photo.ts'
import { findRendition, type RenditionRequest, type RenditionRow } from './rendition-rows.ts'
import { assertHasPicture, createProcessingError, listWidths, sizeInProfile, widestPx } from './rendition-rules.ts'
import { type RenditionSet, storeRenditions } from './store-renditions.ts'

/** Longer than most pictures take, and shorter than clients wait. Then `get` throws, but the work continues. */
const defaultWaitMs = seconds(15)
/** After PREVIEW_UNAVAILABLE, no picture of the same content is made for this time. */
const failureTtlMs = minutes(1)

export type Renditions = {
  /** Throws the errors of `storeRenditions`, and PHOTO_PROCESSING also if the work takes longer than `waitMs`. */
  get: (photo: PhotoToRender, request: RenditionRequest) => Promise<RenditionRow>
  /** Makes the rendition with low priority unless `isUrgent`. A simultaneous `get` makes the work urgent. */
  warm: (photo: PhotoToRender, request: RenditionRequest, how: { isUrgent: boolean }) => Promise<void>
  /**
   * Returns whether this process failed to make the JPEG and does not try again yet: the file is missing or cannot be
   * rendered.
   */
  hasFailed: (photo: Pick<PhotoToRender, 'content_hash'>, request: Pick<RenditionRequest, 'bound_px'>) => boolean
  remake: (photo: PhotoToRender, request: RenditionRequest, damaged: RenditionRow) => Promise<RenditionRow>
  /** The photo has another thumbnail file name afterwards. */
  remakeThumbnail: (photo: PhotoWithThumbnail) => Promise<void>
}

type Work = { done: Promise<void>; promoted: AbortController }

/**
 * Simultaneous requests in one process share the work. If several processes make a rendition, only the first is stored.
 */
export function createRenditions(ctx: PlatformContext, { waitMs = defaultWaitMs } = {}): Renditions {
  const { db, storage, clock } = ctx
  const shareWork = createSharedWork()
  const failures = new LRUCache<string, true>({ max: 1000, ttl: failureTtlMs })
  const failedJpegs = createFailedJpegs(clock)

  function recordFailure(photo: PhotoToRender, { format, bounds }: RenditionSet, error: unknown): void {
    // Downloads are JPEG files.
    if (format === 'jpeg') for (const bound_px of bounds) failedJpegs.record({ photo, bound_px }, error)
  }

  /** Another request may have stored some of the renditions already, so only the others are made. */
  async function storeMissing(photo: PhotoToRender, set: RenditionSet, promoted: AbortSignal): Promise<void> {
    const stored = await Promise.all(set.bounds.map((bound_px) => findRendition(db, photo, { ...set, bound_px })))
    const bounds = set.bounds.filter((_, index) => !stored[index])
    if (bounds.length === 0) return
    const missing = { ...set, bounds }
    try {
      if (failures.has(photo.content_hash)) throw new AppError('PREVIEW_UNAVAILABLE')
      await storeRenditions(ctx, photo, missing, { promoted }).catch((error) => {
        if (error instanceof AppError && error.code === 'PREVIEW_UNAVAILABLE') failures.set(photo.content_hash, true)
        throw error
      })
    } catch (error) {
      recordFailure(photo, missing, error)
      throw error
    }
  }

  function joinOrStart(photo: PhotoToRender, request: RenditionRequest, isUrgent: boolean): Promise<void> {
    const set = createRenditionSet(photo, request)
    const key = [photo.id, photo.content_hash, set.profile.variant, set.format, set.bounds].join(' ')
    const { promoted, done } = shareWork(key, (signal) => storeMissing(photo, set, signal))
    if (isUrgent) promoted.abort()
    return done
  }

  const get: Renditions['get'] = async (photo, request) => {
    assertHasPicture(photo)
    const stored = await findRendition(db, photo, request)
    if (stored) return stored
    const work = joinOrStart(photo, request, true)
    if (request.bound_px === widestPx && request.format !== 'jpeg') {
      void work.then(() => ctx.changes.notify('widest-rendition', photo.event_id)).catch(() => undefined)
    }
    await withTimeout(waitMs, work)
    const made = await findRendition(db, photo, request)
    if (!made) throw createProcessingError()
    return made
  }

  return {
    get,
    warm: (photo, request, { isUrgent }) => joinOrStart(photo, request, isUrgent),
    hasFailed: (photo, { bound_px }) => failedJpegs.has({ photo, bound_px }),
    async remake(photo, request, damaged) {
      await db.deleteFrom('photo_renditions').where('filename', '=', damaged.filename).execute()
      await storage.remove(renditionKey(photo.event_id, damaged.filename))
      return get(photo, request)
    },
    remakeThumbnail(photo) {
      const key = `thumbnail ${photo.id} ${photo.thumbnail_filename}`
      return withTimeout(waitMs, shareWork(key, () => remakeThumbnail(ctx, photo)).done)
    },
  }
}

function createSharedWork() {
  const running = new Map<string, Work>()
  return (key: string, make: (promoted: AbortSignal) => Promise<void>): Work => {
    const current = running.get(key)
    if (current) return current
    const promoted = new AbortController()
    const begun = { promoted, done: make(promoted.signal).finally(() => running.delete(key)) }
    running.set(key, begun)
    return begun
  }
}

/** The standard widths below `widestPx` are made together. Any other rendition is made alone. */
function createRenditionSet(photo: PhotoToRender, { profile, format, bound_px }: RenditionRequest): RenditionSet {
  const isSingle = bound_px >= widestPx || profile.crop !== undefined
  const bounds = isSingle ? [bound_px] : [...new Set([...listWidths(sizeInProfile(photo, profile)), bound_px])]
  return { profile, format, bounds, basePx: Math.max(...bounds) }
}

async function withTimeout<T>(waitMs: number, joinOrStart: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(createProcessingError()), waitMs)
  })
  return Promise.race([joinOrStart, late]).finally(() => clearTimeout(timer))
}
