import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { Static } from 'typebox'
import type { GalleryOutline, GalleryOutlineQuery } from '../../contract/gallery/gallery.ts'
import { listPhotoIds, listPhotoSizes } from '../photo-lists/list-photos.ts'
import { hasFilter } from '../photo-lists/photo-filters.ts'
import { isColumnOrder } from '../photo-lists/photo-orders.ts'
import { loadPhotoSizes } from '../photos/listed-photos.ts'
import type { Database } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { GalleryContext } from './gallery-context.ts'
import { parseGalleryFilter, parseGalleryOrder } from './gallery-filters.ts'
import type { OpenGallery } from './open-gallery-request.ts'
import { isBeforeReveal } from './viewing-rules.ts'

type Outline = Static<typeof GalleryOutline>

/** The same outline as JSON, and compressed. */
export type SerializedOutline = { json: Buffer; gzip: Buffer }

const maxCachedBytes = 32 * 2 ** 20

export type OutlineCache = ReturnType<typeof createOutlineCache>

/** Holds outlines of whole galleries until a photo changes. Each request reads the version of the list first. */
export function createOutlineCache({ db }: PlatformContext) {
  const cached = new LRUCache<string, SerializedOutline>({
    maxSize: maxCachedBytes,
    sizeCalculation: ({ json, gzip }) => json.length + gzip.length,
  })
  const loading = new Map<string, Promise<SerializedOutline>>()

  async function load(key: string, read: () => Promise<Outline>): Promise<SerializedOutline> {
    const json = Buffer.from(JSON.stringify(await read()))
    const outline = { json, gzip: await promisify(gzip)(json) }
    cached.set(key, outline)
    return outline
  }

  return {
    /** `name` must name all that the outline depends on, except for the photos of the event. */
    async getOrLoad(eventId: number, name: string, read: () => Promise<Outline>): Promise<SerializedOutline> {
      const key = `${eventId} ${await readListVersion(db, eventId)} ${name}`
      const known = cached.get(key)
      if (known) return known
      const running = loading.get(key) ?? load(key, read).finally(() => loading.delete(key))
      loading.set(key, running)
      return running
    },
  }
}

async function readListVersion(db: Database, eventId: number): Promise<string> {
  const totals = await db
    .selectFrom('event_photo_totals')
    .select('list_version')
    .where('event_id', '=', eventId)
    .executeTakeFirst()
  return String(totals?.list_version ?? 'empty')
}

/** Returns the sizes of the photos of `listGallery` for the same query, in the same order. Throws VALIDATION_ERROR. */
export async function loadOutline(
  { db, clock, outlines }: GalleryContext,
  { event, viewer }: OpenGallery,
  query: Static<typeof GalleryOutlineQuery>,
): Promise<Outline | SerializedOutline> {
  const { page, limit } = query
  const filter = parseGalleryFilter(query, viewer)
  const order = parseGalleryOrder(query, event, viewer)
  const paginate = ({ total, filtered }: { total: number; filtered: number }) => ({
    pagination: { page, limit, total, filtered, pages: Math.ceil(filtered / limit) },
  })
  if (viewer.kind === 'guest' && isBeforeReveal(event, clock.now())) {
    return { photos: [], ...paginate({ total: 0, filtered: 0 }) }
  }
  const list = { eventId: event.id, filter, order }
  const range = { offset: (page - 1) * limit, limit }
  if (hasFilter(filter) || !isColumnOrder(order)) {
    const { ids, ...counts } = await listPhotoIds(db, list, range)
    return { photos: await loadPhotoSizes(db, event.id, ids), ...paginate(counts) }
  }
  const name = `${event.created_at} ${viewer.kind} ${order.by} ${order.direction} ${page} ${limit}`
  return outlines.getOrLoad(event.id, name, async () => {
    const { photos, ...counts } = await listPhotoSizes(db, { ...list, order }, range)
    return { photos: photos.map(({ id, width, height }) => [id, width, height]), ...paginate(counts) }
  })
}
