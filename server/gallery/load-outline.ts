import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Static } from 'typebox'
import type { GalleryOutline, GalleryOutlineQuery } from '../../contract/gallery/gallery.ts'
import { listPhotoIds, listPhotoSizes } from '../photo-lists/list-photos.ts'
import { hasFilter } from '../photo-lists/photo-filters.ts'
import { loadPhotoSizes } from '../photos/listed-photos.ts'
import { isColumnOrder } from '../photos/photo-orders.ts'
import type { GalleryContext } from './gallery-context.ts'
import { parseGalleryFilter, parseGalleryOrder } from './gallery-filters.ts'
import type { OpenGallery } from './open-gallery-request.ts'
import type { SerializedOutline } from './outline-cache.ts'
import { isBeforeReveal } from './viewing-rules.ts'

type Outline = Static<typeof GalleryOutline>

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
  const name = `${viewer.kind} ${order.by} ${order.direction} ${page} ${limit}`
  return outlines.getOrLoad(db, event.id, name, async () => {
    const { photos, ...counts } = await listPhotoSizes(db, { ...list, order }, range)
    return serialize({ photos: photos.map(({ id, width, height }) => [id, width, height]), ...paginate(counts) })
  })
}

async function serialize(outline: Outline): Promise<SerializedOutline> {
  const json = Buffer.from(JSON.stringify(outline))
  return { json, gzip: await promisify(gzip)(json) }
}
