import { type ColorLabel, colorLabels } from '../../contract/marks.ts'
import type { MarkFilterQuery } from '../../contract/photos.ts'
import { invalidField } from '../platform/app-error.ts'
import type { MarkFilter } from '../proofing/mark-filters.ts'

/** Unknown colours are 400; an empty value, `all` and min_rating 0 are no filter. */
export const markFilterOf = (query: MarkFilterQuery): MarkFilter => ({
  markedOnly: query.marked_only,
  source: query.mark_source,
  colors: colorsIn('color_labels', query.color_labels),
  myColors: colorsIn('my_color_labels', query.my_color_labels),
  minRating: query.min_rating || null,
  myMinRating: query.my_min_rating || null,
  given: [],
  logic: query.logic,
})

/** Colours with commas in between, each once; an empty text and `all` name none. Throws VALIDATION_ERROR. */
export function colorsIn(name: string, text = ''): ColorLabel[] {
  const allowed: readonly string[] = [...colorLabels, 'all']
  const named = text.split(',').flatMap((word) => word.trim() || [])
  if (!named.every((word) => allowed.includes(word))) {
    throw invalidField(name, `may name ${colorLabels.join(', ')}, or be all`)
  }
  return named.includes('all') ? [] : colorLabels.filter((color) => named.includes(color))
}
