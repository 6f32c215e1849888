import { LRUCache } from 'lru-cache'
import { AppError } from '../platform/app-error.ts'
import { RecentMap } from '../platform/background/recent-map.ts'
import { minutes, seconds } from '../platform/clock.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { FileMissing } from '../platform/storage/storage.ts'
import { keepRenditions, type RenditionSet } from './keep-renditions.ts'
import { renditionKey } from './photo-files.ts'
import { type PhotoWithThumbnail, remakeThumbnail } from './remake-thumbnail.ts'
import type { PhotoToRender } from './render-photo.ts'
import { findRendition, type RenditionRequest, type RenditionRow, wholePx } from './rendition-rows.ts'
import { assertHasPicture, sizeInProfile, stepsOf, stillProcessing } from './rendition-rules.ts'

/** Longer than making a picture takes, shorter than clients wait. The work continues after this time. */
const patienceMs = seconds(15)
/** Pictures that cannot be made are not tried again for this time. */
const failureKeptMs = minutes(1)

export type Renditions = {
  /**
   * Throws PREVIEW_UNAVAILABLE, FileMissing, PHOTO_PROCESSING after a long wait, and the errors of `storeRenditions`.
   */
  get: (photo: PhotoToRender, wish: RenditionRequest) => Promise<RenditionRow>
  /** Unless urgent, it has the lowest priority; a simultaneous `get` raises it. */
  warm: (photo: PhotoToRender, wish: RenditionRequest, how: { isWanted: boolean }) => Promise<void>
  /** Whether a full-size rendition of this content has failed since the start. */
  hasFailed: (photo: Pick<PhotoToRender, 'content_hash'>) => boolean
  remake: (photo: PhotoToRender, wish: RenditionRequest, damaged: RenditionRow) => Promise<RenditionRow>
  /** The photo has another thumbnail file name afterwards. */
  remakeThumbnail: (photo: PhotoWithThumbnail) => Promise<void>
}

type Work = { done: Promise<void>; wanted: AbortController }

/** Simultaneous requests share the work. Between several processes the first to record a rendition wins. */
export function createRenditions(ctx: PlatformContext, { waitMs = patienceMs } = {}): Renditions {
  const { db, storage } = ctx
  const underWay = new Map<string, Work>()
  const failures = new LRUCache<string, true>({ max: 1000, ttl: failureKeptMs })
  const failedWholes = new RecentMap<string, true>(10_000)

  const find = (photo: PhotoToRender, { look: { variant }, bound_px, format }: RenditionRequest) =>
    findRendition(db, photo, { variant, bound_px, format })

  /** Another request may have made some of them in the meantime. */
  async function keepMissing(photo: PhotoToRender, set: RenditionSet, wanted: AbortSignal): Promise<void> {
    const kept = await Promise.all(set.bounds.map((bound_px) => find(photo, { ...set, bound_px })))
    const bounds = set.bounds.filter((_, index) => !kept[index])
    if (bounds.length === 0) return
    if (failures.has(photo.content_hash)) throw new AppError('PREVIEW_UNAVAILABLE')
    await keepRenditions(ctx, photo, { ...set, bounds }, { wanted }).catch((error) => {
      const isUnavailable = error instanceof AppError && error.code === 'PREVIEW_UNAVAILABLE'
      if (isUnavailable) failures.set(photo.content_hash, true)
      const isLost = isUnavailable || error instanceof FileMissing
      if (isLost && bounds.includes(wholePx)) failedWholes.set(photo.content_hash, true)
      throw error
    })
  }

  function work(photo: PhotoToRender, wish: RenditionRequest, isWanted: boolean): Promise<void> {
    const set = madeTogether(photo, wish)
    const key = [photo.id, photo.content_hash, set.look.variant, set.format, set.bounds].join(' ')
    const { wanted, done } = underWay.get(key) ?? begin(key, (signal) => keepMissing(photo, set, signal))
    if (isWanted) wanted.abort()
    return done
  }

  function begin(key: string, make: (wanted: AbortSignal) => Promise<void>): Work {
    const wanted = new AbortController()
    const begun = { wanted, done: make(wanted.signal).finally(() => underWay.delete(key)) }
    underWay.set(key, begun)
    return begun
  }

  const get: Renditions['get'] = async (photo, wish) => {
    assertHasPicture(photo)
    const kept = await find(photo, wish)
    if (kept) return kept
    await within(waitMs, work(photo, wish, true))
    const made = await find(photo, wish)
    if (!made) throw stillProcessing()
    return made
  }

  return {
    get,
    warm: (photo, wish, { isWanted }) => work(photo, wish, isWanted),
    hasFailed: ({ content_hash }) => failedWholes.get(content_hash) === true,
    async remake(photo, wish, damaged) {
      await db.deleteFrom('photo_renditions').where('filename', '=', damaged.filename).execute()
      await storage.remove(renditionKey(photo.event_id, damaged.filename))
      return get(photo, wish)
    },
    remakeThumbnail(photo) {
      const key = `thumbnail ${photo.id} ${photo.thumbnail_filename}`
      const { done } = underWay.get(key) ?? begin(key, () => remakeThumbnail(ctx, photo))
      return within(waitMs, done)
    },
  }
}

/** A standard width is made together with all others. */
function madeTogether(photo: PhotoToRender, { look, format, bound_px }: RenditionRequest): RenditionSet {
  const isAlone = bound_px === wholePx || look.crop !== undefined
  const bounds = isAlone ? [bound_px] : [...new Set([...stepsOf(sizeInProfile(photo, look)), bound_px])]
  return { look, format, bounds, base_px: Math.max(...bounds) }
}

async function within<T>(waitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(stillProcessing()), waitMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
