import type { GalleryFilterQuery, GallerySortQuery } from './gallery.ts'

/** The photos of a list in one category. `category_id` and `name` are null for the photos without a category. */
export type PhotoGroup = { category_id: number | null; name: string | null; count: number }

/** Photos are grouped by category until the guest chooses an order of all photos or a category. */
export const isGroupedList = ({ sort, category_id }: GalleryFilterQuery & GallerySortQuery): boolean =>
  !sort && !category_id

/** `index`: the index of the first photo of the group among the listed photos. */
export type GroupStart = PhotoGroup & { index: number }

/** The fewest photos that get headings. Fewer are centered and larger. */
const minGroupedPhotos = 4

/**
 * Returns the groups that have a heading and of which photos are listed, in order; none for a list of one group or of
 * few photos. `offset`: the number of photos before the first listed one. If photos without a category come first, they
 * have no heading, because "More photos" would make no sense there.
 */
export function findGroupStarts(groups: readonly PhotoGroup[], offset: number, listed: number): GroupStart[] {
  if (groups.length < 2 || offset + listed < minGroupedPhotos) return []
  const starts: GroupStart[] = []
  let end = -offset
  for (const group of groups) {
    const start = end
    end += group.count
    const hasHeading = group.category_id !== null || group !== groups[0]
    if (hasHeading && end > 0 && start < listed) starts.push({ ...group, index: Math.max(start, 0) })
  }
  return starts
}

export const groupHeadingId = ({ category_id }: PhotoGroup): string => `category-${category_id ?? 'none'}`

/** Long names have two lines of smaller text. The height of headings is fixed, so that rows do not move. */
export const isLongGroupName = (name: string): boolean => name.length > 24

/** The height of a heading, as in web/assets/gallery.css. */
export const groupHeadingRem = 3.5
