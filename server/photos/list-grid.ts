import type { GridIdsQuery, GridPagination, GridQuery } from '../../contract/photo-grid.ts'
import { invalidField } from '../platform/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { gridFilter, gridOrder } from './grid-filters.ts'
import { cursorOf, readCursor } from './list-cursors.ts'
import { listPhotos } from './list-photos.ts'
import { type ListedPhoto, photosOf } from './listed-photos.ts'
import type { PhotoFilter } from './photo-filters.ts'
import { type Position, positionOf, positionsBehind } from './photo-keysets.ts'
import type { PhotoOrder } from './photo-orders.ts'
import { countPhotos } from './photo-places.ts'

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
  const order = gridOrder(query)
  const { page = 1 } = query
  if (query.after && page > 1) throw invalidField('after', 'and page say the same: send one of them')
  return {
    eventId,
    userId,
    filter: gridFilter(query, userId),
    order,
    page,
    after: query.after ? readCursor(order, query.after) : null,
  }
}

export const listGrid = (ctx: PlatformContext, wish: ParsedGridQuery, limit: number): Promise<GridPage> =>
  wish.after ? gridPageBehind(ctx, wish, wish.after, limit) : gridPage(ctx, wish, limit)

async function gridPage(ctx: PlatformContext, wish: ParsedGridQuery, limit: number): Promise<GridPage> {
  const { page, order } = wish
  const { photos, total, filtered } = await listPhotos(ctx, wish.eventId, { ...wish, limit })
  const last = photos.at(-1)
  const next = last && page * limit < filtered ? cursorOf(order, positionOf(order, last)) : null
  return { photos, pagination: { page, limit, total, filtered, pages: Math.ceil(filtered / limit), next } }
}

async function gridPageBehind(
  { db }: PlatformContext,
  wish: ParsedGridQuery,
  after: Position,
  limit: number,
): Promise<GridPage> {
  const { total, filtered } = await countPhotos(db, wish.eventId, wish.filter)
  // One more shows whether there is a next page.
  const places = await positionsBehind(db, wish, { after, limit: limit + 1 })
  const shown = places.slice(0, limit)
  const last = shown.at(-1)
  const next = last && places.length > limit ? cursorOf(wish.order, last) : null
  const photos = await photosOf(
    db,
    shown.map(({ id }) => id),
    wish.userId,
  )
  return { photos, pagination: { page: null, limit, total, filtered, pages: Math.ceil(filtered / limit), next } }
}
