import type { GalleryPhoto } from '../../../contract/gallery.ts'

export type PickMarks = Pick<GalleryPhoto, 'is_favorited' | 'is_liked' | 'my_rating'>

const fewestStars = 4

/** Counts picks as the service does. `kind` is the mark that the heart gives. */
export const isPickOf = (
  kind: 'favorite' | 'like' | null,
  { is_favorited, is_liked, my_rating }: PickMarks,
): boolean => (kind === 'favorite' ? is_favorited : is_liked || (my_rating ?? 0) >= fewestStars)

/** A reverted pick is no difference. */
export function differingAfter(
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
