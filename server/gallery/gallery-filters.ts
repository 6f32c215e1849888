import { feedbackFilters, type GalleryFilterQuery, type GallerySortQuery } from '../../contract/gallery/gallery.ts'
import { colorLabels } from '../../contract/marks.ts'
import type { EventRow } from '../events/event-rows.ts'
import { showsFeedback, type Viewer } from '../gallery-access/viewing-rules.ts'
import { parseCategoryFilter } from '../photos/lists/grid-filters.ts'
import type { PhotoFilter } from '../photos/lists/photo-filters.ts'
import { normalizeSearch } from '../photos/photo-names.ts'
import type { PhotoOrder } from '../photos/photo-orders.ts'
import { invalidField } from '../platform/errors/app-error.ts'

/**
 * For a guest, `filter`, `color_label` and `my_min_rating` match the guest's own feedback only, since that of others
 * may be hidden; for an operator, the feedback of any guest. Throws VALIDATION_ERROR.
 */
export function parseGalleryFilter(query: GalleryFilterQuery, viewer: Viewer): PhotoFilter {
  const named = parseNames('filter', query.filter, feedbackFilters)
  const colors = parseNames('color_label', query.color_label, colorLabels)
  const search = normalizeSearch(query.search ?? '')
  const category = parseCategoryFilter(query.category_id)
  const mediaType = query.media_type === 'image' || query.media_type === 'video' ? query.media_type : undefined
  const minRating = Number(query.my_min_rating ?? 0)
  const guestId = viewer.kind === 'guest' ? viewer.guest.guestId : null
  return {
    onlyVisible: viewer.kind === 'guest',
    ...(category !== undefined && { category }),
    ...(search !== '' && { search }),
    ...(mediaType && { mediaType }),
    ...(named.length + colors.length + minRating > 0 && {
      given: { guestId, kinds: named.map((name) => kinds[name]), colors, minRating },
    }),
  }
}

const kinds = { liked: 'like', favorited: 'favorite', rated: 'rating', commented: 'comment' } as const

function parseNames<T extends string>(field: keyof GalleryFilterQuery, text = '', allowed: readonly T[]): T[] {
  const named = text.split(',').flatMap((word) => word.trim() || [])
  if (!named.every((word) => word === 'all' || (allowed as readonly string[]).includes(word))) {
    throw invalidField(field, `must only contain ${allowed.join(', ')}, or be all`)
  }
  return named.includes('all') ? [] : allowed.filter((word) => named.includes(word))
}

const fields: Record<string, PhotoOrder['by']> = { date: 'upload_date', name: 'filename' }

/**
 * Throws VALIDATION_ERROR if `order` contradicts `sort`, and if a guest sorts by rating in a gallery that hides the
 * feedback of others.
 */
export function parseGalleryOrder({ sort, order }: GallerySortQuery, event: EventRow, viewer: Viewer): PhotoOrder {
  const [, word = '', direction] = /(.+?)(?:_(asc|desc))?$/.exec(sort ?? event.default_photo_sort) ?? []
  const by = fields[word] ?? (word as PhotoOrder['by'])
  if (by === 'rating' && viewer.kind === 'guest' && !showsFeedback(event)) {
    throw invalidField('sort', 'must not be rating because guests do not see the feedback of others in this gallery')
  }
  if (sort && direction && order && direction !== order) throw invalidField('order', 'contradicts the sort')
  const byDefault = by === 'rating' ? 'desc' : 'asc'
  return { by, direction: order ?? (direction as PhotoOrder['direction'] | undefined) ?? byDefault }
}
