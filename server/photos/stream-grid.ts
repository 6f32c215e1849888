import { Readable } from 'node:stream'
import type { GridPagination } from '../../contract/photo-grid.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { ParsedGridQuery } from './list-grid.ts'
import { photosOf } from './listed-photos.ts'
import { type Position, positionsBehind } from './photo-keysets.ts'
import { countPhotos, type PhotoCounts } from './photo-places.ts'
import { photoRecord } from './photo-records.ts'

/** Between two queries, other lists can use the reader thread. */
const placesAtOnce = 5_000
const recordsAtOnce = 100

/** Streams one JSON page as fast as the client reads, in constant memory. No photo appears twice. */
export async function streamGrid(ctx: PlatformContext, wish: ParsedGridQuery, slug: string): Promise<Readable> {
  const counts = await countPhotos(ctx.db, wish.eventId, wish.filter)
  const isBeyond = wish.page > 1
  const records = isBeyond ? [] : recordsOf(ctx, wish, slug)
  return Readable.from(textOf(records, paginationOf(wish, counts)), { highWaterMark: 1 })
}

export async function listGridIds({ db }: PlatformContext, wish: ParsedGridQuery): Promise<number[]> {
  const all: number[] = []
  for await (const ids of idsOf(db, wish)) all.push(...ids)
  return all
}

/** Yields nothing before the first read, so that an early error becomes a problem response. */
async function* textOf(chunks: AsyncIterable<string> | Iterable<string>, pagination: GridPagination) {
  let before = '{"photos":['
  for await (const chunk of chunks) {
    yield before + chunk
    before = ',\n'
  }
  if (before !== ',\n') yield before
  yield `],"pagination":${JSON.stringify(pagination)}}`
}

async function* recordsOf({ db }: PlatformContext, wish: ParsedGridQuery, slug: string) {
  for await (const ids of idsOf(db, wish)) {
    const photos = await photosOf(db, ids, wish.userId)
    if (photos.length > 0) yield photos.map((photo) => JSON.stringify(photoRecord(photo, slug))).join(',\n')
  }
}

async function* idsOf(db: PlatformContext['db'], wish: ParsedGridQuery) {
  // A photo whose size or rating changes could appear again later.
  const mayMove = wish.order.by === 'size' || wish.order.by === 'rating'
  const sent = new Set<number>()
  let after: Position | null = wish.after
  for (;;) {
    const places = await positionsBehind(db, wish, { after, limit: placesAtOnce })
    const ids = places.map(({ id }) => id).filter((id) => !sent.has(id))
    if (mayMove) for (const id of ids) sent.add(id)
    for (let start = 0; start < ids.length; start += recordsAtOnce) yield ids.slice(start, start + recordsAtOnce)
    after = places.at(-1) ?? null
    if (!after || places.length < placesAtOnce) return
  }
}

function paginationOf({ page, after }: ParsedGridQuery, { total, filtered }: PhotoCounts): GridPagination {
  const pages = filtered === 0 ? 0 : 1
  return { page: after ? null : page, limit: null, total, filtered, pages, next: null }
}
