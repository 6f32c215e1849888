import type { FeedbackStatus } from '../../../contract/feedback.ts'
import { type ColorLabel, colorLabels, type MarkSource } from '../../../contract/marks.ts'
import type { FeedbackRow, PhotoMarks } from './feedback-rows.ts'

const tieOrder: readonly ColorLabel[] = ['green', 'yellow', 'red', 'blue', 'purple']

export type LabelCounts = Pick<PhotoMarks, ColorLabel>
export type RatingTotals = Pick<PhotoMarks, 'rating_sum' | 'rating_count'>
export type OwnMark = { rating: number | null; color_label: ColorLabel | null }

/** Returns null without labels. */
export function dominantColor(counts: LabelCounts): ColorLabel | null {
  let dominant: ColorLabel | null = null
  for (const color of tieOrder) if (counts[color] > (dominant ? counts[dominant] : 0)) dominant = color
  return dominant
}

/** Returns 0 without ratings. */
export const averageHundredths = ({ rating_sum, rating_count }: RatingTotals): number =>
  rating_count === 0 ? 0 : Math.round((rating_sum * 100) / rating_count)

/** Rounds half up; returns null without ratings. */
export const roundedRating = ({ rating_sum, rating_count }: RatingTotals): number | null =>
  rating_count === 0 ? null : Math.floor((2 * rating_sum + rating_count) / (2 * rating_count))

/** With `either`, the account's color has priority, and the higher rating counts. */
export function mergeMarks(source: MarkSource, client: OwnMark, mine: OwnMark): OwnMark {
  if (source !== 'either') return source === 'client' ? client : mine
  const rating = Math.max(client.rating ?? 0, mine.rating ?? 0)
  return { color_label: mine.color_label ?? client.color_label, rating: rating === 0 ? null : rating }
}

/** Returns the bits of `label_mask`. */
export const createLabelMask = (colors: readonly ColorLabel[]): number =>
  colors.reduce((mask, color) => mask | (1 << colorLabels.indexOf(color)), 0)

/** Leaves out colors that no guest has given. */
export function labelTally(counts: LabelCounts): Partial<Record<ColorLabel, number>> {
  const tally: Partial<Record<ColorLabel, number>> = {}
  for (const color of colorLabels) if (counts[color] > 0) tally[color] = counts[color]
  return tally
}

/** The stored counters. `average_hundredths` and `label_mask` are derived from them. */
export type MarkCounts = LabelCounts &
  RatingTotals &
  Pick<PhotoMarks, `${'like' | 'favorite' | 'comment' | 'feedback'}_count`>

export type CountedMark = Pick<FeedbackRow, 'kind' | 'rating' | 'color_label' | 'is_visible'>

/** Returns what the feedback of one guest adds to the counters of a photo. */
export function countGuestMarks(given: readonly CountedMark[]): MarkCounts {
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

/** Replaces what one guest adds, so the cost does not depend on the number of guests. */
export function applyMarkChange(counts: MarkCounts, before: CountedMark[], after: CountedMark[]): MarkCounts {
  const [less, more] = [countGuestMarks(before), countGuestMarks(after)]
  const keys = Object.keys(more) as Array<keyof MarkCounts>
  return Object.fromEntries(keys.map((key) => [key, counts[key] - less[key] + more[key]])) as MarkCounts
}

/** Comments are not marks. */
export function haveMarksChanged(before: MarkCounts, after: MarkCounts): boolean {
  const { feedback_count, comment_count, ...marks } = after
  return (Object.keys(marks) as Array<keyof typeof marks>).some((key) => before[key] !== after[key])
}

export function getFeedbackStatus(row: Pick<FeedbackRow, 'is_visible' | 'judged_at'>): FeedbackStatus {
  if (row.is_visible === 1) return 'approved'
  return row.judged_at === null ? 'pending' : 'hidden'
}
