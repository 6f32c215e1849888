import type { Selectable } from 'kysely'
import type { FeedbackKind } from '../../../contract/marks.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { createCounters } from './count-marks.ts'
import { type FeedbackCounts, noCounts } from './feedback-counts.ts'
import type { AccountMarksTable, FeedbackRow, FeedbackTable } from './feedback-rows.ts'

declare module '../../platform/database/tables.ts' {
  interface Tables {
    /** Feedback to photos in the trash, with the columns of `feedback`. */
    trashed_feedback: Selectable<FeedbackTable>
    trashed_account_marks: AccountMarksTable
  }
}

/** Lists every column, so that a new column does not compile until the table of the trash has it too. */
const feedbackColumns = Object.keys({
  id: true,
  event_id: true,
  photo_id: true,
  guest_id: true,
  kind: true,
  rating: true,
  color_label: true,
  comment_text: true,
  is_visible: true,
  judged_at: true,
  created_at: true,
  updated_at: true,
} satisfies Record<keyof FeedbackRow, true>) as Array<keyof FeedbackRow>

const accountMarkColumns = Object.keys({
  user_id: true,
  photo_id: true,
  event_id: true,
  uploaded_at: true,
  rating: true,
  color_label: true,
  updated_at: true,
} satisfies Record<keyof AccountMarksTable, true>) as Array<keyof AccountMarksTable>

/** Copies feedback and own marks. The calling function then deletes the photos, and with them these rows. */
export async function trashMarks(tx: Tx, photoIds: readonly number[]): Promise<void> {
  await tx
    .insertInto('trashed_feedback')
    .columns(feedbackColumns)
    .expression((from) => from.selectFrom('feedback').select(feedbackColumns).where('photo_id', 'in', photoIds))
    .execute()
  await tx
    .insertInto('trashed_account_marks')
    .columns(accountMarkColumns)
    .expression((from) => from.selectFrom('account_marks').select(accountMarkColumns).where('photo_id', 'in', photoIds))
    .execute()
}

/** Copies what `trashMarks` has moved, and counts it. The calling function then deletes the photos from the trash. */
export async function restoreMarks(tx: Tx, photoIds: readonly number[]): Promise<void> {
  await tx
    .insertInto('feedback')
    .columns(feedbackColumns)
    .expression((from) => from.selectFrom('trashed_feedback').select(feedbackColumns).where('photo_id', 'in', photoIds))
    .execute()
  await tx
    .insertInto('account_marks')
    .columns(accountMarkColumns)
    .expression((from) =>
      from.selectFrom('trashed_account_marks').select(accountMarkColumns).where('photo_id', 'in', photoIds),
    )
    .execute()
  await createCounters(tx, photoIds)
}

/** Returns how many rows of each kind were deleted. */
export async function eraseTrashedFeedback(
  tx: Tx,
  eventId: number,
  guestIds: readonly string[],
): Promise<FeedbackCounts> {
  const erased = await tx
    .deleteFrom('trashed_feedback')
    .where('event_id', '=', eventId)
    .where('guest_id', 'in', guestIds)
    .returning('kind')
    .execute()
  const counts: Record<FeedbackKind, number> = { ...noCounts }
  for (const { kind } of erased) counts[kind]++
  return counts
}
