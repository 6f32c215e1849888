import type { ColorLabel, MarkSource } from '../../../contract/marks.ts'
import type { PhotoMarks } from './feedback-rows.ts'
import { dominantColor, labelTally, mergeMarks, type OwnMark, roundedRating } from './mark-rules.ts'

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
  'photo_marks.marked_at',
  'account_marks.updated_at as my_marked_at',
] as const

type Counters = Omit<PhotoMarks, 'photo_id' | 'event_id' | 'uploaded_at' | 'label_mask' | 'marked_at'>
type JoinedCounters = { [K in keyof Counters]: Counters[K] | null }

const noMarks: Counters = {
  rating_sum: 0,
  rating_count: 0,
  average_hundredths: 0,
  red: 0,
  yellow: 0,
  green: 0,
  blue: 0,
  purple: 0,
  like_count: 0,
  favorite_count: 0,
  comment_count: 0,
  feedback_count: 0,
}

export type OwnColumns = { my_rating: number | null; my_color_label: ColorLabel | null }
export type JoinedMarks = JoinedCounters & OwnColumns & { marked_at: number | null; my_marked_at: number | null }

/** `null`: no marks, or marks that must not be shown. */
export const guestMarks = (row: JoinedCounters | null) => createGuestMarks(isMarked(row) ? row : noMarks)

const isMarked = (row: JoinedCounters | null): row is Counters => row !== null && row.feedback_count !== null

const createGuestMarks = (row: Counters) => ({
  average_rating: row.average_hundredths / 100,
  feedback_count: row.feedback_count,
  like_count: row.like_count,
  favorite_count: row.favorite_count,
  comment_count: row.comment_count,
  color_labels: labelTally(row),
  dominant_color_label: dominantColor(row),
})

/**
 * `guestMark` replaces the merged marks of all guests. Stored snapshots of exports depend on the order of the keys, so
 * it must not change.
 */
export function allMarks(row: JoinedCounters & OwnColumns, source: MarkSource, guestMark?: OwnMark) {
  const guests = guestMarks(row)
  const { my_rating, my_color_label } = row
  const totals = { rating_sum: row.rating_sum ?? 0, rating_count: row.rating_count ?? 0 }
  const client = guestMark ?? { color_label: guests.dominant_color_label, rating: roundedRating(totals) }
  const mine = { color_label: my_color_label, rating: my_rating }
  return { ...guests, my_rating, my_color_label, ...mergeMarks(source, client, mine) }
}
