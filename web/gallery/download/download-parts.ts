import type { GalleryFilterQuery } from '../../../contract/gallery.ts'
import type { GalleryAsked } from '../../../contract/gallery-page.ts'

export type DownloadPart = { ids: number[] } | { filters: GalleryFilterQuery }

/** The limit of the service. */
export const maxIds = 500

export type Shown = { ids: readonly number[]; asked: GalleryAsked }

/** All shown photos are one ZIP by their filters, however many they are. Others are divided evenly. */
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

/** A ZIP has no sort order. */
export function filtersOf({ sort: _, order: __, ...filters }: GalleryAsked): GalleryFilterQuery {
  return filters
}

export function routeOf(part: DownloadPart, kind: 'zip' | 'estimate'): { path: string; query: Record<string, string> } {
  const isById = 'ids' in part
  const path = kind === 'estimate' ? '/download-estimate' : isById ? '/download-selected' : '/download-all'
  if (isById) return { path, query: { ids: part.ids.join(',') } }
  return { path, query: Object.fromEntries(Object.entries(part.filters).filter(([, value]) => value)) }
}
