import type { GalleryPhoto } from '../../../contract/gallery.ts'

export type PickMarks = Pick<GalleryPhoto, 'is_favorited' | 'is_liked' | 'my_rating'>

/** From so many stars on a photo is liked, where a heart is a like. */
const fewestStars = 4

/** As the service counts picks, where a heart gives marks of this kind. */
export const isPickOf = (
  kind: 'favorite' | 'like' | null,
  { is_favorited, is_liked, my_rating }: PickMarks,
): boolean => (kind === 'favorite' ? is_favorited : is_liked || (my_rating ?? 0) >= fewestStars)

/** The photos that differ from a list once one is picked, or no longer: what is taken back is no difference any more. */
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
