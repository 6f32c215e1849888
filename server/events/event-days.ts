import { type CompiledQuery, sql } from 'kysely'
import type { FeedbackKind } from '../../contract/marks.ts'
import { compileOnce } from '../platform/database/compile-once.ts'
import type { Tx } from '../platform/database/tables.ts'
import { days } from '../platform/time/clock.ts'

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

/** `day`: days since 1970-01-01 UTC. `last_view_at`: null for a day without a visit. */
export type EventDayTable = DayCounts & { event_id: number; day: number; last_view_at: number | null }

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

/**
 * Run it near the end of a transaction, so that the row is locked briefly. The event must exist. Returns null if there
 * is nothing to add.
 */
export function addDayCounts(tx: Tx, eventId: number, now: number, counts: Partial<DayCounts>): CompiledQuery | null {
  const added = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
  const names = Object.keys(added)
  if (names.length === 0) return null
  const values = { ...added, event_id: eventId, day: epochDay(now), last_view_at: counts.views ? now : null }
  return compileOnce(tx, `day counts of ${names}`, values, (row) => {
    const sums = names.map((name) => [
      name,
      sql<number>`event_days.${sql.ref(name)} + ${row[name as keyof typeof row]}`,
    ])
    const viewed = counts.views ? { last_view_at: row.last_view_at } : {}
    return tx
      .insertInto('event_days')
      .values({ ...zeroDayCounts, ...row })
      .onConflict((conflict) =>
        conflict.columns(['event_id', 'day']).doUpdateSet({ ...Object.fromEntries(sums), ...viewed }),
      )
  })
}

/** Like `addDayCounts`. */
export async function addToDayCounts(tx: Tx, eventId: number, now: number, counts: Partial<DayCounts>): Promise<void> {
  const query = addDayCounts(tx, eventId, now, counts)
  if (query) await tx.executeQuery(query)
}
