import { type ColorLabel, colorLabels, type MarkSource } from '../../contract/marks.ts'
import type { PhotoMarks } from './mark-rows.ts'

/** Ties go green first (interface, "Photo"; decisions §3). */
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
 * rating is the higher of the two (interface, "List photos", merge rules).
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
