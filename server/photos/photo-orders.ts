import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from '../platform/database/tables.ts'

/**
 * How a list is sorted. What has no such value stands last in both directions. Equal ones stand by id,
 * those of one rating as they were uploaded; descending, that is turned round as well.
 */
export type PhotoOrder = {
  by: 'upload_date' | 'capture_date' | 'filename' | 'size' | 'rating'
  direction: 'asc' | 'desc'
}

/** That of every public list: `uploaded_at`, then `id`, ascending. */
export const uploadOrder = { by: 'upload_date', direction: 'asc' } as const satisfies PhotoOrder

/** What the photo's own columns decide, each with an index that also holds what filters ask for. */
const columns = {
  upload_date: 'photos.uploaded_at',
  capture_date: 'photos.captured_at',
  filename: 'photos.name_sort',
  size: 'photos.size_bytes',
} as const

export type ColumnOrder = PhotoOrder & { by: keyof typeof columns }

export const isColumnOrder = (order: PhotoOrder): order is ColumnOrder => order.by in columns

type PhotosQuery<O> = SelectQueryBuilder<Tables, 'photos', O>

/** In the order, or in that from its end. */
export function sorted<O>(photos: PhotosQuery<O>, order: ColumnOrder, isFromEnd = false): PhotosQuery<O> {
  const direction = (order.direction === 'asc') === isFromEnd ? 'desc' : 'asc'
  return photos
    .orderBy(columns[order.by], (key) => {
      const directed = direction === 'asc' ? key.asc() : key.desc()
      if (order.by !== 'capture_date') return directed
      return isFromEnd ? directed.nullsFirst() : directed.nullsLast()
    })
    .orderBy('photos.id', direction)
}

/** A part of a list. */
export type Stretch = { offset: number; limit: number }

/** The part of a stretch that lies behind the first `count` places, as places of what stands there. */
export function behind(count: number, { offset, limit }: Stretch): Stretch {
  const taken = Math.min(Math.max(count - offset, 0), limit)
  return { offset: Math.max(offset - count, 0), limit: limit - taken }
}

/** A stretch of a list of `count` places that is read from its end. */
export function stretchFromEnd<O>(photos: PhotosQuery<O>, count: RawBuilder<number>, { offset, limit }: Stretch) {
  const left = sql<number>`(${count} - ${offset})`
  return photos
    .limit(
      sql<number>`case when ${left} < ${limit} then case when ${left} < 0 then 0 else ${left} end else ${limit} end`,
    )
    .offset(sql<number>`case when ${left} < ${limit} then 0 else ${left} - ${limit} end`)
}
