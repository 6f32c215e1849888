import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { PhotoSort } from '../../contract/events.ts'
import type { Tables } from '../platform/database/tables.ts'

/**
 * Photos without a value come last in both directions. Equal capture times are ordered by name, equal ratings by upload
 * time. Photos without a place in the order by hand (`manual`) are in upload order. Then the id decides.
 */
export type PhotoOrder = {
  by: 'upload_date' | 'capture_date' | 'filename' | 'size' | 'rating' | 'manual'
  direction: 'asc' | 'desc'
}

export const uploadOrder = { by: 'upload_date', direction: 'asc' } as const satisfies PhotoOrder

/** The index of each order also contains the id and `visibility`, `category_id` and `type`, which filters use. */
export const orderColumns = {
  upload_date: ['uploaded_at'],
  capture_date: ['captured_at', 'name_sort'],
  filename: ['name_sort'],
  size: ['size_bytes'],
  manual: ['manual_position', 'uploaded_at'],
} as const

/** The first column of some orders can be null. */
const isNullable = (column: string): boolean => column === 'captured_at' || column === 'manual_position'

export type ColumnOrder = PhotoOrder & { by: keyof typeof orderColumns }

export const isColumnOrder = (order: PhotoOrder): order is ColumnOrder => order.by in orderColumns

export const photoSortOrders: Record<PhotoSort, ColumnOrder> = {
  upload_date_asc: { by: 'upload_date', direction: 'asc' },
  upload_date_desc: { by: 'upload_date', direction: 'desc' },
  capture_date_asc: { by: 'capture_date', direction: 'asc' },
  capture_date_desc: { by: 'capture_date', direction: 'desc' },
  filename_asc: { by: 'filename', direction: 'asc' },
  filename_desc: { by: 'filename', direction: 'desc' },
  manual: { by: 'manual', direction: 'asc' },
}

type PhotosQuery<O> = SelectQueryBuilder<Tables, 'photos', O>

export function orderPhotos<DB, TB extends keyof DB, O>(
  photos: SelectQueryBuilder<DB, TB, O>,
  order: ColumnOrder,
  isFromEnd = false,
): SelectQueryBuilder<DB, TB, O> {
  const direction = (order.direction === 'asc') === isFromEnd ? 'desc' : 'asc'
  let ordered = photos
  for (const column of orderColumns[order.by]) {
    ordered = ordered.orderBy(sql.ref(`photos.${column}`), (key) => {
      const directed = direction === 'asc' ? key.asc() : key.desc()
      if (!isNullable(column)) return directed
      return isFromEnd ? directed.nullsFirst() : directed.nullsLast()
    })
  }
  return ordered.orderBy(sql.ref('photos.id'), direction)
}

export type ListRange = { offset: number; limit: number }

/** For a list in two parts: returns the range within the second part. `count`: the number of rows in the first part. */
export function rangeAfter(count: number, { offset, limit }: ListRange): ListRange {
  const taken = Math.min(Math.max(count - offset, 0), limit)
  return { offset: Math.max(offset - count, 0), limit: limit - taken }
}

/** `photos` must be in reverse order; offset and limit apply to the list order. `count`: the length of the list. */
export function selectRangeFromEnd<O>(photos: PhotosQuery<O>, count: RawBuilder<number>, { offset, limit }: ListRange) {
  const left = sql<number>`(${count} - ${offset})`
  return photos
    .limit(
      sql<number>`case when ${left} < ${limit} then case when ${left} < 0 then 0 else ${left} end else ${limit} end`,
    )
    .offset(sql<number>`case when ${left} < ${limit} then 0 else ${left} - ${limit} end`)
}
