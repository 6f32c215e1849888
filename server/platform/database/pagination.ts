import type { Static } from 'typebox'
import type { Pagination } from '../../../contract/shapes.ts'

/** Returns the `pagination` of a response. `total` may be the text that PostgreSQL returns for a count. */
export function toPagination(
  { page, limit }: { page: number; limit: number },
  total: number | string,
): Static<typeof Pagination> {
  return { page, limit, total: Number(total), pages: Math.ceil(Number(total) / limit) }
}
