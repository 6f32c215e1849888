import type { ColorLabel, MarkSource } from '../../contract/marks.ts'
import type { PhotoRecord } from '../../contract/photos.ts'
import type { PhotoMarks } from './mark-rows.ts'
import { dominantColor, labelTally, mergeMarks, roundedRating } from './mark-rules.ts'

/** For left joins of `photo_marks` and the account's `account_marks`. */
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

export type JoinedMarks = { [K in keyof Counters]: Counters[K] | null } & {
  my_rating: number | null
  my_color_label: ColorLabel | null
}

type GuestMarks = Pick<
  PhotoRecord,
  | 'average_rating'
  | 'feedback_count'
  | 'like_count'
  | 'favorite_count'
  | 'comment_count'
  | 'color_labels'
  | 'dominant_color_label'
>
type AllMarks = GuestMarks & Pick<PhotoRecord, 'my_rating' | 'my_color_label' | 'color_label' | 'rating'>

export function guestMarks(row: JoinedMarks | null): GuestMarks {
  const labels = readLabelCounts(row)
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

export function allMarks(row: JoinedMarks, source: MarkSource): AllMarks {
  const guests = guestMarks(row)
  const { my_rating, my_color_label } = row
  const totals = { rating_sum: row.rating_sum ?? 0, rating_count: row.rating_count ?? 0 }
  const client = { rating: roundedRating(totals), color_label: guests.dominant_color_label }
  const mine = { rating: my_rating, color_label: my_color_label }
  return { ...guests, my_rating, my_color_label, ...mergeMarks(source, client, mine) }
}

const readLabelCounts = (row: JoinedMarks | null) => ({
  red: row?.red ?? 0,
  yellow: row?.yellow ?? 0,
  green: row?.green ?? 0,
  blue: row?.blue ?? 0,
  purple: row?.purple ?? 0,
})
