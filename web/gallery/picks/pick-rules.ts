import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'

export type PickMarks = Pick<GalleryPhoto, 'is_favorited' | 'is_liked' | 'my_rating'>

const minLikedStars = 4

/** Counts picks as the service does. `kind` is the mark that the heart gives. */
export const countsAsPick = (
  kind: 'favorite' | 'like' | null,
  { is_favorited, is_liked, my_rating }: PickMarks,
): boolean => (kind === 'favorite' ? is_favorited : is_liked || (my_rating ?? 0) >= minLikedStars)

/** A reverted pick is no difference. */
export function toggleDifference(
  differing: ReadonlySet<number>,
  photoId: number,
  wasPick: boolean,
  isPick: boolean,
): ReadonlySet<number> {
  if (wasPick === isPick) return differing
  const next = new Set(differing)
  if (!next.delete(photoId)) next.add(photoId)
  return next
}
