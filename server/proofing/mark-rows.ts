import type { Generated, Selectable } from 'kysely'
import type { ColorLabel, FeedbackKind } from '../../contract/marks.ts'
import type { Database, Flag, Tx } from '../platform/database/tables.ts'

/** What guests have given: one row per guest, photo and kind, except comments. */
export type FeedbackTable = {
  id: Generated<number>
  event_id: number
  photo_id: number
  guest_id: string
  kind: FeedbackKind
  rating: number | null
  color_label: ColorLabel | null
  comment_text: string | null
  /** Counted, and shown to others. A comment may wait for its approval; everything else is visible at once. */
  is_visible: Flag
  /** When an operator approved or hid it; null: nobody has. */
  judged_at: number | null
  created_at: number
  updated_at: number
}

/** The counters of one photo, kept in the marking transaction. A photo that nobody ever marked has no row. */
export type PhotoMarksTable = Record<ColorLabel, number> & {
  photo_id: number
  event_id: number
  /** The photo's own, which never changes: lists are read in its order. */
  uploaded_at: number
  rating_sum: number
  rating_count: number
  /** The star average as it is shown, in hundredths; 0 without a rating. */
  average_hundredths: number
  /** One bit for each colour that has a visible label, in the order of `colorLabels`. */
  label_mask: number
  like_count: number
  favorite_count: number
  comment_count: number
  /** Distinct guests with visible feedback. */
  feedback_count: number
}

/** An account's own marks, seen by nobody else. A row has a rating, a colour or both. */
export type AccountMarksTable = {
  user_id: number
  photo_id: number
  event_id: number
  uploaded_at: number
  rating: number | null
  color_label: ColorLabel | null
  updated_at: number
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    feedback: FeedbackTable
    photo_marks: PhotoMarksTable
    account_marks: AccountMarksTable
  }
}

export type FeedbackRow = Selectable<FeedbackTable>
export type PhotoMarks = Selectable<PhotoMarksTable>

/** The photo that is marked, as its own module knows it. */
export type MarkedPhoto = { id: number; event_id: number; uploaded_at: number }

export const findFeedback = (db: Database | Tx, id: number): Promise<FeedbackRow | undefined> =>
  db.selectFrom('feedback').selectAll().where('id', '=', id).executeTakeFirst()
