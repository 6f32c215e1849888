import { sql } from 'kysely'
import type { FeedbackKind } from '../../contract/marks.ts'
import { days } from '../platform/clock.ts'
import type { Tx } from '../platform/database/tables.ts'

/** The counts of one event and day. Feedback that is removed later stays counted. */
const zeroDayCounts = {
  uploads: 0,
  upload_bytes: 0,
  views: 0,
  downloads: 0,
  ratings: 0,
  color_labels: 0,
  likes: 0,
  favorites: 0,
  comments: 0,
}

type DayCounts = typeof zeroDayCounts

/** `day`: days since 1970-01-01 UTC. */
export type EventDayTable = DayCounts & { event_id: number; day: number }

declare module '../platform/database/tables.ts' {
  interface Tables {
    event_days: EventDayTable
  }
}

export const epochDay = (epochMs: number): number => Math.floor(epochMs / days(1))

export const dayCountKeys: Record<FeedbackKind, keyof DayCounts> = {
  rating: 'ratings',
  color_label: 'color_labels',
  like: 'likes',
  favorite: 'favorites',
  comment: 'comments',
}

/** Call it near the end of a transaction, so that the row is locked briefly. The event must exist. */
export async function addToDayCounts(tx: Tx, eventId: number, now: number, counts: Partial<DayCounts>): Promise<void> {
  const added = Object.entries(counts).filter(([, count]) => count > 0)
  if (added.length === 0) return
  const sums = added.map(([name, count]) => [name, sql<number>`event_days.${sql.ref(name)} + ${count}`])
  await tx
    .insertInto('event_days')
    .values({ event_id: eventId, day: epochDay(now), ...zeroDayCounts, ...counts })
    .onConflict((conflict) => conflict.columns(['event_id', 'day']).doUpdateSet(Object.fromEntries(sums)))
    .execute()
}
