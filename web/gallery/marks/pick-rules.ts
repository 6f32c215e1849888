import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'

export type PickMarks = Pick<GalleryPhoto, 'is_favorited' | 'is_liked' | 'my_rating'>

const minLikedStars = 4

/** In a gallery without favorites, likes and four or more stars are picks. `kind` is the mark that the heart sets. */
export const countsAsPick = (
  kind: 'favorite' | 'like' | null,
  { is_favorited, is_liked, my_rating }: PickMarks,
): boolean => (kind === 'favorite' ? is_favorited : is_liked || (my_rating ?? 0) >= minLikedStars)

/** Returns the photos whose pick has changed. A photo whose pick is reverted is removed from them. */
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
