import type { GalleryFilterQuery } from '../../../contract/gallery/gallery.ts'
import type { ZipOptions } from '../../../contract/gallery/gallery-downloads.ts'
import type { GalleryListQueryParams } from '../../../contract/gallery/gallery-page.ts'

export type DownloadPart = { ids: number[] } | { filters: GalleryFilterQuery }

/** The service accepts at most this number of photo ids in one request. */
const maxPhotosPerZip = 500

export type ShownPhotos = { ids: readonly number[]; asked: GalleryListQueryParams }

/**
 * Up to 500 photos are one part. More photos are one part with filters if they are exactly the shown photos. Otherwise
 * they are split into parts of about the same size.
 */
export function splitDownload(ids: readonly number[], shown: ShownPhotos): DownloadPart[] {
  if (ids.length <= maxPhotosPerZip) return [{ ids: [...ids] }]
  if (haveSameIds(ids, shown.ids)) {
    // The route `/download-all` takes filters, but no sort order.
    const { sort: _, order: __, ...filters } = shown.asked
    return [{ filters }]
  }
  const count = Math.ceil(ids.length / maxPhotosPerZip)
  const size = Math.ceil(ids.length / count)
  return Array.from({ length: count }, (_, index) => ({ ids: ids.slice(index * size, (index + 1) * size) }))
}

function haveSameIds(ids: readonly number[], others: readonly number[]): boolean {
  const known = new Set(others)
  return ids.length === known.size && ids.every((id) => known.has(id))
}

/** Returns the part without the ids that the error names, or null if it names none. `paths` are such as `ids.3`. */
export function leaveOutUnknown(
  part: DownloadPart,
  { code, paths }: { code: string; paths: readonly string[] },
): { part: { ids: number[] }; goneCount: number } | null {
  if (code !== 'INVALID_PHOTO_IDS' || !('ids' in part)) return null
  const places = new Set(paths.map((path) => Number(path.slice('ids.'.length))))
  const ids = part.ids.filter((_, place) => !places.has(place))
  return ids.length === part.ids.length ? null : { part: { ids }, goneCount: part.ids.length - ids.length }
}

export function getZipRoute(
  part: DownloadPart,
  kind: 'zip' | 'estimate',
  options: ZipOptions,
): { path: string; query: Record<string, string> } {
  const isById = 'ids' in part
  const path = kind === 'estimate' ? '/download-estimate' : isById ? '/download-selected' : '/download-all'
  const parameters = isById ? { ids: part.ids.join(',') } : part.filters
  return { path, query: Object.fromEntries(Object.entries({ ...parameters, ...options }).filter(([, value]) => value)) }
}
