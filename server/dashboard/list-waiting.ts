import { sql } from 'kysely'
import type { Dashboard } from '../../contract/instance/dashboard.ts'
import { presentEvents } from '../events/event-rows.ts'
import type { Database } from '../platform/database/tables.ts'
import { isoTime } from '../platform/time/clock.ts'
import { isInScope, maxListed, type Scope } from './dashboard-scope.ts'

/** Returns the events in which a decision of an operator is pending, those with the most pending decisions first. */
export async function listWaiting(db: Database, scope: Scope): Promise<Dashboard['waiting']> {
  const rows = await db
    .selectFrom(presentEvents(db))
    .innerJoin(
      // The literals allow the partial indexes to be used.
      sql<{ event_id: number; comments: number; guest_uploads: number; notes: number }>`(
        select event_id, sum(comments) as comments, sum(guest_uploads) as guest_uploads, sum(notes) as notes from (
          select event_id, count(*) as comments, 0 as guest_uploads, 0 as notes from feedback
          where is_visible = 0 and judged_at is null group by event_id
          union all
          select event_id, 0, count(*), 0 from photos where awaits_review = 1 group by event_id
          union all
          select event_id, 0, 0, count(*) from threads where settled_at is null and kind <> 'comment' group by event_id
        ) as each_kind group by event_id
      )`.as('pending'),
      'pending.event_id',
      'events.id',
    )
    .where('events.is_archived', '=', 0)
    .where(isInScope(scope, 'events.id'))
    .select(['events.id', 'events.event_name', 'pending.comments', 'pending.guest_uploads', 'pending.notes'])
    .orderBy(sql`pending.comments + pending.guest_uploads + pending.notes`, 'desc')
    .orderBy('events.id')
    .limit(maxListed)
    .execute()
  return rows.map(({ comments, guest_uploads, notes, ...event }) => ({
    ...event,
    comments: Number(comments),
    guest_uploads: Number(guest_uploads),
    notes: Number(notes),
  }))
}

/** Returns the open selections, latest first. */
export async function listOpenSelections(db: Database, scope: Scope): Promise<Dashboard['selections']> {
  const rows = await db
    .selectFrom('selections')
    .innerJoin(presentEvents(db), 'events.id', 'selections.event_id')
    .leftJoin('guests', 'guests.id', 'selections.guest_id')
    .leftJoin('rounds', 'rounds.id', 'selections.round_id')
    .where('events.is_archived', '=', 0)
    .where(isInScope(scope, 'events.id'))
    .where('selections.done_at', 'is', null)
    .where('selections.guest_id', 'is not', null)
    .select(['selections.id', 'events.id as event_id', 'events.event_name'])
    .select(['guests.name as guest_name', 'selections.photo_count', 'selections.created_at'])
    .select(['selections.round_number as round', 'rounds.asked_at'])
    .orderBy('selections.created_at', 'desc')
    .orderBy('selections.id', 'desc')
    .limit(maxListed)
    .execute()
  return rows.map(({ event_id, event_name, created_at, asked_at, ...row }) => ({
    ...row,
    event: { id: event_id, event_name },
    is_reopening_asked: asked_at !== null,
    created_at: isoTime(created_at),
  }))
}
