import type { GridIdsQuery } from '../../../contract/photo-grid.ts'
import { type PhotoType, photoTypes } from '../../../contract/photos.ts'
import { invalidField } from '../../platform/errors/app-error.ts'
import { normalizeSearch } from '../photo-names.ts'
import type { PhotoOrder } from '../photo-orders.ts'
import { parseColors } from './mark-filter-rules.ts'
import type { PhotoFilter } from './photo-filters.ts'

type GridFilterQuery = Omit<GridIdsQuery, 'sort' | 'order'>

/** Feedback that is hidden or waits for approval does not match. Throws VALIDATION_ERROR. */
export function parseGridFilter(query: GridFilterQuery, userId: number): PhotoFilter {
  const search = normalizeSearch(query.search ?? '')
  const category = parseCategoryFilter(query.category_id)
  const type = parseType(query.type)
  const given = (['like', 'favorite', 'comment'] as const).filter((kind) => query[`has_${kind}s`])
  const filter = {
    markedOnly: false,
    source: 'client',
    colors: parseColors('color_label', query.color_label),
    myColors: parseColors('own_color_label', query.own_color_label),
    given,
    minRating: query.min_rating || null,
    myMinRating: query.own_min_rating || null,
    logic: query.logic,
  } as const
  return {
    ...(category !== undefined && { category }),
    ...(type && { type }),
    ...(search !== '' && { search }),
    ...(query.visibility && { visibility: query.visibility }),
    ...(query.media_type && { mediaType: query.media_type }),
    ...(query.uploaded_by && { uploadedBy: query.uploaded_by }),
    ...(query.review && { awaitsReview: true }),
    ...(query.processing_status && { processing: query.processing_status }),
    marked: { filter, userId },
  }
}

const reservedCategories = [...photoTypes, 'uncategorized'] as const

/** Returns undefined (no filter) for an empty text and `all`. Throws VALIDATION_ERROR. */
export function parseCategoryFilter(text = ''): PhotoFilter['category'] {
  if (text === '' || text === 'all') return undefined
  const word = reservedCategories.find((one) => one === text)
  if (word) return word
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0
  if (id >= 1 && id <= Number.MAX_SAFE_INTEGER) return id
  throw invalidField('category_id', `must be an ID, or one of ${reservedCategories.join(', ')}`)
}

/** Older clients still send `type`. Throws VALIDATION_ERROR. */
function parseType(text = ''): PhotoType | undefined {
  const type = photoTypes.find((one) => one === text)
  if (type || text === '' || text === 'all') return type
  throw invalidField('type', `must be one of ${photoTypes.join(', ')}`)
}

const orders = {
  date: 'upload_date',
  capture_date: 'capture_date',
  name: 'filename',
  size: 'size',
  rating: 'rating',
  manual: 'manual',
} as const

export const parseGridOrder = ({ sort, order }: Pick<GridIdsQuery, 'sort' | 'order'>): PhotoOrder => ({
  by: orders[sort],
  direction: order ?? (sort === 'rating' ? 'desc' : 'asc'),
})
