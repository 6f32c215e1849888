import type { FeedbackBody } from '../../../contract/feedback.ts'
import type { GalleryPhoto } from '../../../contract/gallery.ts'

/** What shall be, as the API takes it: sending it twice is sending it once. */
export type MarkBody = Pick<FeedbackBody, 'feedback_type' | 'rating' | 'color_label' | 'set'>

/** A mark that the service has not confirmed yet. */
export type WaitingMark = {
  /** Of this wish; another one that takes its place has another. The service takes each once, by `Idempotency-Key`. */
  id: string
  slug: string
  /** Whose it is: it reaches the service as theirs, or not at all. */
  guestId: string
  photoId: number
  body: MarkBody
  /** What the photo showed before, for when the service says no. */
  before: MarkBody
  /** Epoch milliseconds. */
  at: number
}

/** A guest has one mark of a kind on a photo, so that one alone can wait: the last. */
export const keyOf = ({ slug, guestId, photoId, body }: WaitingMark): string =>
  [slug, guestId, photoId, body.feedback_type].join('/')

/** Of the same photo, kinds go in the order they were given. */
export const photoKeyOf = ({ slug, photoId }: WaitingMark): string => `${slug}/${photoId}`

/** The mark that waits when a new one is given: it goes back to where the first of them began. */
export const inPlaceOf = (earlier: WaitingMark | undefined, mark: WaitingMark): WaitingMark =>
  earlier ? { ...mark, before: earlier.before } : mark

export const inOrder = (marks: readonly WaitingMark[]): WaitingMark[] => marks.toSorted((a, b) => a.at - b.at)

type OwnMarks = Pick<GalleryPhoto, 'is_liked' | 'is_favorited' | 'my_rating' | 'my_color_label'>

/** What of a photo is another with that mark. */
export function fieldsWith({ feedback_type, rating, color_label, set }: MarkBody): Partial<OwnMarks> {
  if (feedback_type === 'like') return { is_liked: set === true }
  if (feedback_type === 'favorite') return { is_favorited: set === true }
  if (feedback_type === 'rating') return { my_rating: rating || null }
  if (feedback_type === 'color_label') return { my_color_label: set === false ? null : (color_label ?? null) }
  return {}
}

type OwnCounts = { favorited: number; liked: number; rated: number; color_labeled: number }

/** What the guest has given, counted on when one photo changes. */
export function countsAfter<Counts extends OwnCounts>(counts: Counts, was: OwnMarks, is: OwnMarks): Counts {
  const step = (claim: (marks: OwnMarks) => boolean) => Number(claim(is)) - Number(claim(was))
  return {
    ...counts,
    favorited: counts.favorited + step(({ is_favorited }) => is_favorited),
    liked: counts.liked + step(({ is_liked }) => is_liked),
    rated: counts.rated + step(({ my_rating }) => my_rating !== null),
    color_labeled: counts.color_labeled + step(({ my_color_label }) => my_color_label !== null),
  }
}
