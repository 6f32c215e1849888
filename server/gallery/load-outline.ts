import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Static } from 'typebox'
import type { GalleryOutline, GalleryOutlineQuery } from '../../contract/gallery/gallery.ts'
import type { OpenGallery } from '../gallery-access/open-gallery-request.ts'
import { isBeforeReveal } from '../gallery-access/viewing-rules.ts'
import { loadPhotoSizes } from '../photos/listed-photos.ts'
import { loadListTotals } from '../photos/lists/list-cache.ts'
import {
  countPhotos,
  listPhotoIds,
  listPhotoSizes,
  type PhotoCounts,
  type PhotoListQuery,
} from '../photos/lists/list-photos.ts'
import { hasFilter } from '../photos/lists/photo-filters.ts'
import { listGroupedIds, type PhotoGroup } from '../photos/lists/photo-groups.ts'
import { isColumnOrder, type ListRange } from '../photos/photo-orders.ts'
import type { GalleryContext, SerializedOutline } from './gallery-context.ts'
import { parseGalleryFilter, parseGalleryOrder } from './gallery-filters.ts'
import { loadContents, loadGroups } from './load-groups.ts'

type Outline = Static<typeof GalleryOutline>

/** Returns the sizes of the photos of `listGallery` for the same query, in the same order. Throws VALIDATION_ERROR. */
export async function loadOutline(
  ctx: GalleryContext,
  { event, viewer }: OpenGallery,
  query: Static<typeof GalleryOutlineQuery>,
): Promise<Outline | SerializedOutline> {
  const { db, clock, outlines } = ctx
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
  if (query.group) {
    const totals = await loadListTotals(db, event.id)
    const { categories } = await loadContents(ctx, event, totals, { onlyVisible: viewer.kind === 'guest' })
    const groups = await loadGroups(ctx, event, filter, categories)
    if (groups) return loadGrouped(ctx, { list, range, groups, paginate, name: viewer.kind })
  }
  if (hasFilter(filter) || !isColumnOrder(order)) {
    const { ids, ...counts } = await listPhotoIds(db, list, range)
    return { photos: await loadPhotoSizes(db, event.id, ids), ...paginate(counts) }
  }
  const name = `${viewer.kind} ${order.by} ${order.direction} ${page} ${limit}`
  return outlines.readOrLoad(db, event.id, name, async () => {
    const { photos, ...counts } = await listPhotoSizes(db, { ...list, order }, range)
    return serialize({ photos: photos.map(({ id, width, height }) => [id, width, height]), ...paginate(counts) })
  })
}

type GroupedOutline = {
  list: PhotoListQuery
  range: ListRange
  groups: PhotoGroup[]
  paginate: (counts: PhotoCounts) => Pick<Outline, 'pagination'>
  name: string
}

async function loadGrouped(
  { db, outlines }: GalleryContext,
  { list, range, groups, paginate, name: viewer }: GroupedOutline,
): Promise<Outline | SerializedOutline> {
  const { eventId, filter, order } = list
  const load = async () => {
    const ids = await listGroupedIds(db, list, groups, range)
    const counts = await countPhotos(db, eventId, filter)
    return { photos: await loadPhotoSizes(db, eventId, ids), groups, ...paginate(counts) }
  }
  if (hasFilter(filter) || !isColumnOrder(order)) return load()
  // Categories can get another name or place while the photos stay as they are.
  const name = `${viewer} ${order.by} ${order.direction} ${range.offset} ${range.limit} ${JSON.stringify(groups)}`
  return outlines.readOrLoad(db, eventId, name, async () => serialize(await load()))
}

async function serialize(outline: Outline): Promise<SerializedOutline> {
  const json = Buffer.from(JSON.stringify(outline))
  return { json, gzip: await promisify(gzip)(json) }
}
