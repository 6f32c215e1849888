import type { GridIdsQuery, GridPagination, GridQuery } from '../../../contract/photo-grid.ts'
import type { ListPhotosQuery } from '../../../contract/photos.ts'
import { invalidField } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { parseInputTime } from '../../platform/time/input-times.ts'
import { type ListedPhoto, loadPhotosByIds } from '../listed-photos.ts'
import { normalizeSearch } from '../photo-names.ts'
import { type PhotoOrder, uploadOrder } from '../photo-orders.ts'
import { parseGridFilter, parseGridOrder } from './grid-filters.ts'
import { formatCursor, parseCursor } from './list-cursors.ts'
import { countPhotos, listPhotos } from './list-photos.ts'
import { parseMarkFilter } from './mark-filter-rules.ts'
import { type PhotoFilter, resolveSearch } from './photo-filters.ts'
import { getPosition, listPositionsAfter, type Position } from './photo-keysets.ts'

export type ParsedGridQuery = {
  eventId: number
  userId: number
  filter: PhotoFilter
  order: PhotoOrder
  page: number
  after: Position | null
}

export type GridPage = { photos: ListedPhoto[]; pagination: GridPagination }

/** Throws VALIDATION_ERROR. */
export function parseGridQuery(
  query: GridIdsQuery & Partial<Pick<GridQuery, 'page' | 'after'>>,
  { eventId, userId }: Pick<ParsedGridQuery, 'eventId' | 'userId'>,
): ParsedGridQuery {
  const order = parseGridOrder(query)
  const { page = 1 } = query
  if (query.after && page > 1) throw invalidField('after', 'must not be sent together with page')
  return {
    eventId,
    userId,
    filter: parseGridFilter(query, userId),
    order,
    page,
    after: query.after ? parseCursor(order, query.after) : null,
  }
}

/** For the list of the public API, which is always in upload order. Throws VALIDATION_ERROR. */
export function parsePhotoListQuery(
  query: ListPhotosQuery,
  { eventId, userId }: Pick<ParsedGridQuery, 'eventId' | 'userId'>,
): ParsedGridQuery {
  const { page, after, updated_since: since } = query
  const search = normalizeSearch(query.search ?? '')
  if (after && page > 1) throw invalidField('after', 'must not be sent together with page')
  return {
    eventId,
    userId,
    filter: {
      marked: { filter: parseMarkFilter(query), userId },
      ...(search !== '' && { search }),
      ...(since && { updatedSince: parseInputTime('updated_since', since) }),
    },
    order: uploadOrder,
    page,
    after: after ? parseCursor(uploadOrder, after) : null,
  }
}

export const listGrid = (ctx: PlatformContext, gridQuery: ParsedGridQuery, limit: number): Promise<GridPage> =>
  gridQuery.after ? getPageAfter(ctx, gridQuery, gridQuery.after, limit) : getNumberedPage(ctx, gridQuery, limit)

async function getNumberedPage(ctx: PlatformContext, gridQuery: ParsedGridQuery, limit: number): Promise<GridPage> {
  const { page, order } = gridQuery
  const { photos, total, filtered } = await listPhotos(ctx, gridQuery.eventId, { ...gridQuery, limit })
  const last = photos.at(-1)
  const next = last && page * limit < filtered ? formatCursor(order, getPosition(order, last)) : null
  return { photos, pagination: { page, limit, total, filtered, pages: Math.ceil(filtered / limit), next } }
}

async function getPageAfter(
  { db }: PlatformContext,
  query: ParsedGridQuery,
  after: Position,
  limit: number,
): Promise<GridPage> {
  const gridQuery = { ...query, filter: await resolveSearch(db, query.eventId, query.filter) }
  const { total, filtered } = await countPhotos(db, gridQuery.eventId, gridQuery.filter)
  // Reads one extra position to find out whether there is a next page.
  const positions = await listPositionsAfter(db, gridQuery, { after, limit: limit + 1 })
  const shown = positions.slice(0, limit)
  const last = shown.at(-1)
  const next = last && positions.length > limit ? formatCursor(gridQuery.order, last) : null
  const photos = await loadPhotosByIds(
    db,
    shown.map(({ id }) => id),
    gridQuery.userId,
  )
  return { photos, pagination: { page: null, limit, total, filtered, pages: Math.ceil(filtered / limit), next } }
}
