import type { FeedbackBody } from '../../../contract/feedback.ts'
import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'

/** A mark as the API takes it. It sets a value and never toggles it, so a repeated request has no further effect. */
export type MarkBody = Pick<FeedbackBody, 'feedback_type' | 'rating' | 'color_label' | 'set'>

export type WaitingMark = {
  /** The `Idempotency-Key`. A mark that replaces this one has another id. */
  id: string
  slug: string
  /** The guest who gave the mark. The mark must never be sent for another guest. */
  guestId: string
  photoId: number
  body: MarkBody
  /** The value to restore when the service rejects the mark. */
  before: MarkBody
  /** When the guest gave the mark, in epoch milliseconds. */
  at: number
}

/** A guest has one mark of each kind on a photo, so a new mark replaces a waiting mark with the same key. */
export const getMarkKey = ({ slug, guestId, photoId, body }: WaitingMark): string =>
  [slug, guestId, photoId, body.feedback_type].join('/')

export const getPhotoKey = ({ slug, photoId }: WaitingMark): string => `${slug}/${photoId}`

/** Returns `mark` with the `before` value of the waiting mark that it replaces. */
export const replaceMark = (earlier: WaitingMark | undefined, mark: WaitingMark): WaitingMark =>
  earlier ? { ...mark, before: earlier.before } : mark

export const sortByTime = (marks: readonly WaitingMark[]): WaitingMark[] => marks.toSorted((a, b) => a.at - b.at)

type OwnMarks = Pick<GalleryPhoto, 'is_liked' | 'is_favorited' | 'my_rating' | 'my_color_label'>

export function toPhotoFields({ feedback_type, rating, color_label, set }: MarkBody): Partial<OwnMarks> {
  if (feedback_type === 'like') return { is_liked: set === true }
  if (feedback_type === 'favorite') return { is_favorited: set === true }
  if (feedback_type === 'rating') return { my_rating: rating || null }
  if (feedback_type === 'color_label') return { my_color_label: set === false ? null : (color_label ?? null) }
  return {}
}

type OwnCounts = { favorited: number; liked: number; rated: number; color_labeled: number }

export function updateMarkCounts<Counts extends OwnCounts>(counts: Counts, was: OwnMarks, is: OwnMarks): Counts {
  const step = (hasMark: (marks: OwnMarks) => boolean) => Number(hasMark(is)) - Number(hasMark(was))
  return {
    ...counts,
    favorited: counts.favorited + step(({ is_favorited }) => is_favorited),
    liked: counts.liked + step(({ is_liked }) => is_liked),
    rated: counts.rated + step(({ my_rating }) => my_rating !== null),
    color_labeled: counts.color_labeled + step(({ my_color_label }) => my_color_label !== null),
  }
}
