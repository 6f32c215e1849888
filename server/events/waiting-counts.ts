import { type RawBuilder, sql } from 'kysely'
import type { WaitingCounts } from '../../contract/events.ts'

/** The literals allow the partial indexes to be used. */
const conditions: Record<keyof WaitingCounts, RawBuilder<unknown>> = {
  selections: sql`selections where done_at is null and guest_id is not null`,
  comments: sql`feedback where is_visible = 0 and judged_at is null`,
  guest_uploads: sql`photos where awaits_review = 1`,
  notes: sql`threads where settled_at is null and kind <> 'comment'`,
}

const prefix = 'waiting_'

/** Columns with the number of each kind that waits for an operator in the event. */
export const waitingColumns = Object.entries(conditions).map(([kind, source]) =>
  sql<number>`(select count(*) from ${source} and event_id = events.id)`.as(`${prefix}${kind}`),
)

export type WaitingColumns = Record<`${typeof prefix}${keyof WaitingCounts}`, number>

/** PostgreSQL returns counts as text. */
export const waitingCounts = (row: WaitingColumns): WaitingCounts => ({
  selections: Number(row.waiting_selections),
  comments: Number(row.waiting_comments),
  guest_uploads: Number(row.waiting_guest_uploads),
  notes: Number(row.waiting_notes),
})
