import { type ColorLabel, colorLabels } from '../../../contract/marks.ts'
import type { MarkFilterQuery } from '../../../contract/photos.ts'
import type { MarkFilter } from '../../feedback/marks/mark-filters.ts'
import { invalidField } from '../../platform/errors/app-error.ts'

/** An empty value, `all` and a minimum rating of 0 mean no filter. Throws VALIDATION_ERROR. */
export const parseMarkFilter = (query: MarkFilterQuery): MarkFilter => ({
  markedOnly: query.marked_only,
  source: query.mark_source,
  colors: parseColors('color_labels', query.color_labels),
  myColors: parseColors('my_color_labels', query.my_color_labels),
  minRating: query.min_rating || null,
  myMinRating: query.my_min_rating || null,
  given: [],
  logic: query.logic,
})

/** Returns no color for an empty text and `all`. Throws VALIDATION_ERROR. */
export function parseColors(name: string, text = ''): ColorLabel[] {
  const allowed: readonly string[] = [...colorLabels, 'all']
  const named = text.split(',').flatMap((word) => word.trim() || [])
  if (!named.every((word) => allowed.includes(word))) {
    throw invalidField(name, `must only contain ${colorLabels.join(', ')}, or be all`)
  }
  return named.includes('all') ? [] : colorLabels.filter((color) => named.includes(color))
}
