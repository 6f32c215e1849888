import { type ColorLabel, colorLabels, type MarkSource } from '../../contract/marks.ts'
import type { PhotoMarks } from './mark-rows.ts'
import { dominantColor, type LabelCounts, labelTally, mergeMarks, roundedRating } from './mark-rules.ts'

/** The columns of a query that left-joins `photo_marks` and the `account_marks` of the caller. */
export const markColumns = [
  'photo_marks.rating_sum',
  'photo_marks.rating_count',
  'photo_marks.average_hundredths',
  'photo_marks.red',
  'photo_marks.yellow',
  'photo_marks.green',
  'photo_marks.blue',
  'photo_marks.purple',
  'photo_marks.like_count',
  'photo_marks.favorite_count',
  'photo_marks.comment_count',
  'photo_marks.feedback_count',
  'account_marks.rating as my_rating',
  'account_marks.color_label as my_color_label',
] as const

type Counters = Omit<PhotoMarks, 'photo_id' | 'event_id' | 'uploaded_at' | 'label_mask'>
type JoinedCounters = { [K in keyof Counters]: Counters[K] | null }

export type JoinedMarks = JoinedCounters & {
  my_rating: number | null
  my_color_label: ColorLabel | null
}

export function guestMarks(row: JoinedCounters | null) {
  const labels = Object.fromEntries(colorLabels.map((color) => [color, row?.[color] ?? 0])) as LabelCounts
  return {
    average_rating: (row?.average_hundredths ?? 0) / 100,
    feedback_count: row?.feedback_count ?? 0,
    like_count: row?.like_count ?? 0,
    favorite_count: row?.favorite_count ?? 0,
    comment_count: row?.comment_count ?? 0,
    color_labels: labelTally(labels),
    dominant_color_label: dominantColor(labels),
  }
}

/** Stored snapshots of exports depend on the order of the keys, so it must not change. */
export function allMarks(row: JoinedMarks, source: MarkSource) {
  const guests = guestMarks(row)
  const { my_rating, my_color_label } = row
  const totals = { rating_sum: row.rating_sum ?? 0, rating_count: row.rating_count ?? 0 }
  const client = { color_label: guests.dominant_color_label, rating: roundedRating(totals) }
  const mine = { color_label: my_color_label, rating: my_rating }
  return { ...guests, my_rating, my_color_label, ...mergeMarks(source, client, mine) }
}
