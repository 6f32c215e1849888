import type { FeedbackStatus } from '../../contract/feedback.ts'
import { type ColorLabel, colorLabels, type MarkSource } from '../../contract/marks.ts'
import type { FeedbackRow, PhotoMarks } from './mark-rows.ts'

/** Ties go green first. */
const tieOrder: readonly ColorLabel[] = ['green', 'yellow', 'red', 'blue', 'purple']

export type LabelCounts = Pick<PhotoMarks, ColorLabel>
export type RatingTotals = Pick<PhotoMarks, 'rating_sum' | 'rating_count'>
export type OwnMark = { rating: number | null; color_label: ColorLabel | null }

/** The colour with most labels; null when there is none. */
export function dominantColor(counts: LabelCounts): ColorLabel | null {
  const most = Math.max(...tieOrder.map((color) => counts[color]))
  return most === 0 ? null : (tieOrder.find((color) => counts[color] === most) ?? null)
}

/** Two decimals, in hundredths; 0 when nobody has rated. */
export const averageHundredths = ({ rating_sum, rating_count }: RatingTotals): number =>
  rating_count === 0 ? 0 : Math.round((rating_sum * 100) / rating_count)

/** The average rounded half up to a whole star; null when nobody has rated. */
export const roundedRating = ({ rating_sum, rating_count }: RatingTotals): number | null =>
  rating_count === 0 ? null : Math.floor((2 * rating_sum + rating_count) / (2 * rating_count))

/**
 * One colour and one rating for the requested source. With `either` the own colour wins whenever it is set, and the
 * rating is the higher of the two.
 */
export function mergeMarks(
  source: MarkSource,
  client: OwnMark,
  mine: OwnMark,
): { color_label: ColorLabel | null; rating: number | null } {
  if (source === 'client') return { color_label: client.color_label, rating: client.rating }
  if (source === 'mine') return { color_label: mine.color_label, rating: mine.rating }
  const rating = Math.max(client.rating ?? 0, mine.rating ?? 0)
  return { color_label: mine.color_label ?? client.color_label, rating: rating === 0 ? null : rating }
}

/** The bits of `label_mask`. */
export const maskOf = (colors: readonly ColorLabel[]): number =>
  colors.reduce((mask, color) => mask | (1 << colorLabels.indexOf(color)), 0)

/** Only the colours that somebody has given. */
export const labelTally = (counts: LabelCounts): Partial<Record<ColorLabel, number>> =>
  Object.fromEntries(colorLabels.filter((color) => counts[color] > 0).map((color) => [color, counts[color]]))

/** What is counted; average and mask follow from it. */
export type MarkCounts = LabelCounts &
  RatingTotals &
  Pick<PhotoMarks, `${'like' | 'favorite' | 'comment' | 'feedback'}_count`>

export type CountedMark = Pick<FeedbackRow, 'kind' | 'rating' | 'color_label' | 'is_visible'>

/** What all feedback of one guest on one photo adds to its counters. */
export function shareOf(given: readonly CountedMark[]): MarkCounts {
  const visible = given.filter(({ is_visible }) => is_visible === 1)
  const count = (isCounted: (mark: CountedMark) => boolean) => visible.filter(isCounted).length
  const ofColor = (color: ColorLabel) => [color, count(({ color_label }) => color_label === color)]
  return {
    rating_sum: visible.reduce((sum, { rating }) => sum + (rating ?? 0), 0),
    rating_count: count(({ kind }) => kind === 'rating'),
    ...(Object.fromEntries(colorLabels.map(ofColor)) as LabelCounts),
    like_count: count(({ kind }) => kind === 'like'),
    favorite_count: count(({ kind }) => kind === 'favorite'),
    comment_count: count(({ kind }) => kind === 'comment'),
    feedback_count: visible.length > 0 ? 1 : 0,
  }
}

/** The counters once one guest's feedback has become `after`. */
export function movedCounts(
  counts: MarkCounts,
  before: readonly CountedMark[],
  after: readonly CountedMark[],
): MarkCounts {
  const [less, more] = [shareOf(before), shareOf(after)]
  const keys = Object.keys(more) as Array<keyof MarkCounts>
  return Object.fromEntries(keys.map((key) => [key, counts[key] - less[key] + more[key]])) as MarkCounts
}

/** What nobody sees waits for approval until somebody has moderated it. */
export const statusOf = ({ is_visible, judged_at }: Pick<FeedbackRow, 'is_visible' | 'judged_at'>): FeedbackStatus => {
  if (is_visible === 1) return 'approved'
  return judged_at === null ? 'pending' : 'hidden'
}
