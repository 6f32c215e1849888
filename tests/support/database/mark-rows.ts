import { colorLabels } from '../../../contract/marks.ts'
import type { AccountMarksTable, PhotoMarksTable } from '../../../server/feedback/marks/feedback-rows.ts'
import type { Database } from '../../../server/platform/database/tables.ts'

/** Stores the feedback counters of one photo, by default of event 1. Omitted counters are zero. */
export async function addPhotoMarks(
  db: Database,
  { photo_id, ...counts }: Partial<PhotoMarksTable> & { photo_id: number },
): Promise<void> {
  const zeros = Object.fromEntries(colorLabels.map((color) => [color, 0])) as Pick<
    PhotoMarksTable,
    (typeof colorLabels)[number]
  >
  await db
    .insertInto('photo_marks')
    .values({
      ...zeros,
      photo_id,
      event_id: 1,
      uploaded_at: 1000 + photo_id,
      rating_sum: 0,
      rating_count: 0,
      average_hundredths: 0,
      label_mask: 0,
      like_count: 0,
      favorite_count: 0,
      comment_count: 0,
      feedback_count: 0,
      ...counts,
    })
    .execute()
}

/** Stores a mark of an account on a photo, by default of account 1 and event 1. */
export async function addAccountMark(
  db: Database,
  { photo_id, ...mark }: Partial<AccountMarksTable> & { photo_id: number },
): Promise<void> {
  await db
    .insertInto('account_marks')
    .values({
      user_id: 1,
      photo_id,
      event_id: 1,
      uploaded_at: 1000 + photo_id,
      rating: null,
      color_label: null,
      updated_at: 0,
      ...mark,
    })
    .execute()
}
