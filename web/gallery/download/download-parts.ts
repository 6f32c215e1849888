import type { GalleryFilterQuery } from '../../../contract/gallery.ts'
import type { GalleryAsked } from '../../../contract/gallery-page.ts'

/** What goes into one ZIP. */
export type DownloadPart = { ids: number[] } | { filters: GalleryFilterQuery }

/** The service puts no more photos that are named one by one into one ZIP. */
export const maxIds = 500

/** What is on the page now: the photos that pass these filters. */
export type Shown = { ids: readonly number[]; asked: GalleryAsked }

/**
 * The ZIPs that these photos come in. All that is shown is asked for by its filters, however many they are; others come
 * in parts of as many photos as one ZIP takes, evenly, so that none is a leftover of three.
 */
export function downloadParts(ids: readonly number[], shown: Shown): DownloadPart[] {
  if (ids.length <= maxIds) return [{ ids: [...ids] }]
  if (isSame(ids, shown.ids)) return [{ filters: filtersOf(shown.asked) }]
  const count = Math.ceil(ids.length / maxIds)
  const size = Math.ceil(ids.length / count)
  return Array.from({ length: count }, (_, index) => ({ ids: ids.slice(index * size, (index + 1) * size) }))
}

function isSame(ids: readonly number[], others: readonly number[]): boolean {
  const known = new Set(others)
  return ids.length === known.size && ids.every((id) => known.has(id))
}

/** Without the order, which a ZIP does not have. */
export function filtersOf({ sort: _, order: __, ...filters }: GalleryAsked): GalleryFilterQuery {
  return filters
}

/** Route and query of its ZIP, or of what it will come to. */
export function routeOf(part: DownloadPart, kind: 'zip' | 'estimate'): { path: string; query: Record<string, string> } {
  const isById = 'ids' in part
  const path = kind === 'estimate' ? '/download-estimate' : isById ? '/download-selected' : '/download-all'
  if (isById) return { path, query: { ids: part.ids.join(',') } }
  return { path, query: Object.fromEntries(Object.entries(part.filters).filter(([, value]) => value)) }
}
