import { LRUCache } from 'lru-cache'
import { findEvent } from '../events/event-rows.ts'
import { judgeNotArchived } from '../events/event-rules.ts'
import type { Backends } from '../platform/backends.ts'
import { minutes, seconds } from '../platform/clock.ts'
import { imageKinds } from '../platform/media/image-header.ts'
import { Refusal } from '../platform/refusal.ts'
import { newFileStem, renditionKey } from './photo-files.ts'
import { findPhoto, type PhotoRow } from './photo-rows.ts'
import { renderPhoto } from './render-photo.ts'
import { findRendition, type RenditionRow, type RenditionWish } from './rendition-rows.ts'
import { judgeHasPicture, stillProcessing } from './rendition-rules.ts'

/** Longer than making one takes, shorter than clients wait; the work goes on, so that whoever asks again finds it. */
const patienceMs = seconds(15)
/** A picture that nothing can be made of, or over which an image worker hangs, is not tried at each view. */
const failureKeptMs = minutes(1)
/** The longest edge that a WebP can have. */
const longestEdge = 16_383
const quality = 80

export type Renditions = {
  /**
   * The kept picture, made at its first demand. Throws PREVIEW_UNAVAILABLE, FileMissing where the original has gone,
   * PHOTO_PROCESSING when it takes long, and what `record` throws.
   */
  get: (photo: PhotoRow, wish: RenditionWish) => Promise<RenditionRow>
  /** Makes anew what was found missing or damaged in the storage. */
  remake: (photo: PhotoRow, damaged: RenditionRow) => Promise<RenditionRow>
}

/**
 * Pictures to look at, each made once: whoever asks meanwhile waits for the same work, and where several processes make
 * one at the same time the first to record it wins.
 */
export function createRenditions(backends: Backends, { waitMs = patienceMs } = {}): Renditions {
  const { db, storage } = backends
  const underWay = new Map<string, Promise<RenditionRow>>()
  const failures = new LRUCache<string, true>({ max: 1000, ttl: failureKeptMs })

  async function findOrMake(photo: PhotoRow, wish: RenditionWish): Promise<RenditionRow> {
    const kept = await findRendition(db, photo, wish)
    if (kept) return kept
    if (failures.has(photo.content_hash)) throw new Refusal('PREVIEW_UNAVAILABLE')
    return makeRendition(backends, photo, wish).catch((error) => {
      if (error instanceof Refusal && error.code === 'PREVIEW_UNAVAILABLE') failures.set(photo.content_hash, true)
      throw error
    })
  }

  const get: Renditions['get'] = async (photo, wish) => {
    judgeHasPicture(photo)
    const key = [photo.id, photo.content_hash, wish.variant, wish.bound_px, wish.format].join(' ')
    const work = underWay.get(key) ?? findOrMake(photo, wish).finally(() => underWay.delete(key))
    underWay.set(key, work)
    return within(waitMs, work)
  }

  return {
    get,
    async remake(photo, damaged) {
      await db.deleteFrom('photo_renditions').where('filename', '=', damaged.filename).execute()
      await storage.remove(renditionKey(photo.event_id, damaged.filename))
      return get(photo, damaged)
    },
  }
}

/** File first, row last; nothing is left when it throws. */
async function makeRendition(backends: Backends, photo: PhotoRow, wish: RenditionWish): Promise<RenditionRow> {
  const { storage, clock } = backends
  const { stagedPath, facts } = await renderPhoto(backends, photo, {
    box: { width: wish.bound_px, height: longestEdge },
    format: wish.format,
    quality,
    isKept: true,
  })
  const filename = `${newFileStem(clock.now())}_${wish.bound_px}${imageKinds[wish.format].extension}`
  const key = renditionKey(photo.event_id, filename)
  try {
    await storage.commit([{ stagedPath, key }])
    const recorded = await record(backends, photo, {
      photo_id: photo.id,
      content_hash: photo.content_hash,
      variant: wish.variant,
      bound_px: wish.bound_px,
      format: wish.format,
      event_id: photo.event_id,
      filename,
      width: facts.width,
      height: facts.height,
      size_bytes: facts.sizeBytes,
      sha256: facts.sha256,
      crc32: facts.crc32,
      created_at: clock.now(),
    })
    if (recorded.filename !== filename) await storage.remove(key)
    return recorded
  } catch (error) {
    await Promise.all([storage.remove(key), storage.discard(stagedPath)])
    throw error
  }
}

/**
 * The row that stands in the end: that of another process, where it was faster. Throws NOT_FOUND for a photo deleted
 * meanwhile, EVENT_ARCHIVED, and PHOTO_PROCESSING for one replaced: what was made is of its old file.
 */
const record = ({ db }: Backends, photo: PhotoRow, row: RenditionRow): Promise<RenditionRow> =>
  db.transaction().execute(async (tx) => {
    const event = await findEvent(tx, photo.event_id)
    const present = await findPhoto(tx, photo.event_id, photo.id)
    if (!event || !present) throw new Refusal('NOT_FOUND')
    judgeNotArchived(event)
    if (present.content_hash !== photo.content_hash) throw stillProcessing()
    const inserted = await tx
      .insertInto('photo_renditions')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    const recorded = inserted ?? (await findRendition(tx, photo, row))
    if (!recorded) throw stillProcessing()
    return recorded
  })

async function within<T>(waitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(stillProcessing()), waitMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
