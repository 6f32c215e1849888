import { Readable } from 'node:stream'
import type { GridPagination } from '../../../contract/photo-grid.ts'
import { maxShortRead } from '../../platform/database/short-read.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { loadPhotosByIds } from '../listed-photos.ts'
import { createGridRecords } from './grid-records.ts'
import type { ParsedGridQuery } from './list-grid.ts'
import { countPhotos, type PhotoCounts } from './list-photos.ts'
import { resolveSearch } from './photo-filters.ts'
import { listPositionsAfter, type Position } from './photo-keysets.ts'

/** Limits each query, so that other queries can use the reader thread of SQLite in between. */
const positionsPerQuery = 5_000
/** More than a short read, so that other requests are answered in between. */
const recordsPerChunk = maxShortRead + 50

/** Streams the photos as one JSON page, only as fast as the client reads. No photo appears twice. */
export async function streamGrid(ctx: PlatformContext, query: ParsedGridQuery, slug: string): Promise<Readable> {
  const gridQuery = { ...query, filter: await resolveSearch(ctx.db, query.eventId, query.filter) }
  const counts = await countPhotos(ctx.db, gridQuery.eventId, gridQuery.filter)
  const isPastEnd = gridQuery.page > 1
  const records = isPastEnd ? [] : streamRecords(ctx, gridQuery, slug)
  return Readable.from(streamJson(records, createPagination(gridQuery, counts)), { highWaterMark: 1 })
}

export async function listGridIds({ db }: PlatformContext, gridQuery: ParsedGridQuery): Promise<number[]> {
  const all: number[] = []
  for await (const ids of streamIds(db, gridQuery)) all.push(...ids)
  return all
}

/** Yields nothing before the first photos are read, so that an error of the first query becomes a problem response. */
async function* streamJson(chunks: AsyncIterable<string> | Iterable<string>, pagination: GridPagination) {
  let before = '{"photos":['
  for await (const chunk of chunks) {
    yield before + chunk
    before = ',\n'
  }
  if (before !== ',\n') yield before
  yield `],"pagination":${JSON.stringify(pagination)}}`
}

async function* streamRecords({ db }: PlatformContext, gridQuery: ParsedGridQuery, slug: string) {
  for await (const ids of streamIds(db, gridQuery)) {
    const photos = await loadPhotosByIds(db, ids, gridQuery.userId)
    const records = await createGridRecords(db, photos, slug)
    if (records.length > 0) yield records.map((record) => JSON.stringify(record)).join(',\n')
  }
}

async function* streamIds(db: PlatformContext['db'], gridQuery: ParsedGridQuery) {
  // A photo whose size, rating or place changes could appear again later.
  const canMove = ['size', 'rating', 'manual'].includes(gridQuery.order.by)
  const sent = new Set<number>()
  let after: Position | null = gridQuery.after
  for (;;) {
    const positions = await listPositionsAfter(db, gridQuery, { after, limit: positionsPerQuery })
    const ids = positions.map(({ id }) => id).filter((id) => !sent.has(id))
    if (canMove) for (const id of ids) sent.add(id)
    for (let start = 0; start < ids.length; start += recordsPerChunk) yield ids.slice(start, start + recordsPerChunk)
    after = positions.at(-1) ?? null
    if (!after || positions.length < positionsPerQuery) return
  }
}

function createPagination({ page, after }: ParsedGridQuery, { total, filtered }: PhotoCounts): GridPagination {
  const pages = filtered === 0 ? 0 : 1
  return { page: after ? null : page, limit: null, total, filtered, pages, next: null }
}
