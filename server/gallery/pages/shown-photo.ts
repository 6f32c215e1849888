import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import type { GalleryListQueryParams } from '../../../contract/gallery/gallery-page.ts'
import { isGroupedList } from '../../../contract/gallery/photo-groups.ts'
import { noFeedback } from '../../feedback/own-feedback.ts'
import type { OpenGallery } from '../../gallery-access/open-gallery-request.ts'
import { assertViewable } from '../../gallery-access/viewing-rules.ts'
import { loadPhotosByIds } from '../../photos/listed-photos.ts'
import { loadListTotals } from '../../photos/lists/list-cache.ts'
import { listPhotoIds, type PhotoListQuery } from '../../photos/lists/list-photos.ts'
import { listGroupedIds } from '../../photos/lists/photo-groups.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { GalleryContext } from '../gallery-context.ts'
import { parseGalleryFilter, parseGalleryOrder } from '../gallery-filters.ts'
import { galleryPhoto } from '../gallery-records.ts'
import { loadContents, loadGroups } from '../load-groups.ts'

export type ShownPhoto = {
  photo: GalleryPhoto
  /** The query that `number` and `total` refer to. It has no filters if the requested filters exclude the photo. */
  asked: GalleryListQueryParams
  number: number
  total: number
  previous: number | null
  next: number | null
}

const maxPlaces = 100_000

/** Returns null for a photo that the viewer may not see. Throws VALIDATION_ERROR for invalid filters. */
export async function findShownPhoto(
  ctx: GalleryContext,
  gallery: OpenGallery,
  id: number,
  asked: GalleryListQueryParams,
): Promise<ShownPhoto | null> {
  const { event, viewer } = gallery
  try {
    assertViewable(event, await ctx.galleries.photo(id), viewer, 'photo', ctx.clock.now())
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
  const [row] = await loadPhotosByIds(ctx.db, [id], null)
  if (!row) return null
  const photo = galleryPhoto(event, row, noFeedback)
  const { sort, order } = asked
  const all: GalleryListQueryParams = { ...(sort && { sort }), ...(order && { order }) }
  for (const query of [asked, all]) {
    const position = await findPosition(ctx, gallery, id, query)
    if (position) return { photo, asked: query, ...position }
  }
  return { photo, asked: all, number: 1, total: 1, previous: null, next: null }
}

async function findPosition(
  ctx: GalleryContext,
  { event, viewer }: OpenGallery,
  id: number,
  asked: GalleryListQueryParams,
) {
  const filter = parseGalleryFilter(asked, viewer)
  const list = { eventId: event.id, filter, order: parseGalleryOrder(asked, event, viewer) }
  const ids = await listIds(ctx, event, list, isGroupedList(asked))
  const index = ids.indexOf(id)
  if (index < 0) return null
  return { number: index + 1, total: ids.length, previous: ids[index - 1] ?? null, next: ids[index + 1] ?? null }
}

async function listIds(
  ctx: GalleryContext,
  event: OpenGallery['event'],
  list: PhotoListQuery,
  isGrouped: boolean,
): Promise<number[]> {
  const { filter } = list
  const range = { offset: 0, limit: maxPlaces }
  if (isGrouped) {
    const totals = await loadListTotals(ctx.db, event.id)
    const viewed = { onlyVisible: filter.onlyVisible ?? false }
    const { categories } = await loadContents(ctx, event, totals, viewed)
    const groups = await loadGroups(ctx, event, filter, categories)
    if (groups) return listGroupedIds(ctx.db, list, groups, range)
  }
  return (await listPhotoIds(ctx.db, list, range)).ids
}
