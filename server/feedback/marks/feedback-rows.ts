import type { Generated, Selectable } from 'kysely'
import type { ColorLabel, FeedbackKind } from '../../../contract/marks.ts'
import type { Database, Flag } from '../../platform/database/tables.ts'

/** One row per guest, photo and kind. A guest can write several comments on a photo, each with its own row. */
export type FeedbackTable = {
  id: Generated<number>
  event_id: number
  photo_id: number
  guest_id: string
  kind: FeedbackKind
  rating: number | null
  color_label: ColorLabel | null
  comment_text: string | null
  /** 0 if an operator has hidden it, or if it is a comment that waits for approval. */
  is_visible: Flag
  /** When an operator approved or hid it; null if none did. */
  judged_at: number | null
  created_at: number
  updated_at: number
}

/** Counters of a photo, updated in the transaction of each feedback change. Without feedback there may be no row. */
export type PhotoMarksTable = Record<ColorLabel, number> & {
  photo_id: number
  event_id: number
  /** A copy of the photo's `uploaded_at`, which never changes. Lists sort by it. */
  uploaded_at: number
  rating_sum: number
  rating_count: number
  average_hundredths: number
  /** One bit per color with a visible label, in the order of `colorLabels`. */
  label_mask: number
  like_count: number
  favorite_count: number
  comment_count: number
  /** Distinct guests with visible feedback. */
  feedback_count: number
  /** When a visible mark of a guest was last given, changed or removed; comments are not marks. Null: never. */
  marked_at: number | null
}

/** The marks of an account, which other accounts do not see. A row has a rating, a color or both. */
export type AccountMarksTable = {
  user_id: number
  photo_id: number
  event_id: number
  uploaded_at: number
  rating: number | null
  color_label: ColorLabel | null
  updated_at: number
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    feedback: FeedbackTable
    photo_marks: PhotoMarksTable
    account_marks: AccountMarksTable
  }
}

export type FeedbackRow = Selectable<FeedbackTable>
export type PhotoMarks = Selectable<PhotoMarksTable>

export type MarkedPhoto = { id: number; event_id: number; uploaded_at: number }

export const findFeedback = (db: Database, id: number): Promise<FeedbackRow | undefined> =>
  db.selectFrom('feedback').selectAll().where('id', '=', id).executeTakeFirst()
