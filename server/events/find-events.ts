import type { EventState, FindEventsQuery, FoundEvent } from '../../contract/events.ts'
import type { AccountCaller } from '../access/callers.ts'
import { type Database, flag } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { createEventComparator, matchesWords, type SortedEvent, splitWords } from './event-order.ts'
import { ownedEvents } from './event-ownership.ts'
import { eventListItem } from './event-records.ts'
import { presentEvents } from './event-rows.ts'
import {
  coverId,
  type EventPage,
  type Events,
  filterEvents,
  offsetPagination,
  resolveOffset,
  videoCount,
} from './list-events.ts'
import { type WaitingColumns, waitingColumns, waitingCounts } from './waiting-counts.ts'

type FoundRow = EventPage['rows'][number] & { cover_id: number | null; video_count: number } & WaitingColumns

/** Searches and sorts in code, so that SQLite and PostgreSQL give the same order. There are only hundreds of events. */
export async function findEvents({ db, clock }: PlatformContext, { user }: AccountCaller, query: FindEventsQuery) {
  const { limit, search = '', sort = 'created' } = query
  const offset = resolveOffset(query)
  const events = filterByState(filterEvents(ownedEvents(db, user), query), query.state, clock.now())
  const candidates: SortedEvent[] = await events
    .leftJoin('event_photo_totals', 'event_photo_totals.event_id', 'events.id')
    .select(['id', 'slug', 'event_name', 'customer_name', 'customer_email', 'event_date', 'expires_at', 'total_views'])
    .select('photo_count')
    .execute()
  const words = splitWords(search)
  const found = candidates
    .filter((event) => matchesWords(event, words))
    .sort(createEventComparator(sort, query.order ?? (sort === 'name' ? 'asc' : 'desc')))
  const pageIds = found.slice(offset, offset + limit).map(({ id }) => id)
  return { rows: await loadRows(db, pageIds), pagination: offsetPagination(limit, offset, found.length) }
}

function filterByState(events: Events, state: EventState | undefined, now: number): Events {
  if (state === undefined) return events
  if (state === 'archived') return events.where('is_archived', '=', 1)
  const present = events.where('is_archived', '=', 0).where('is_draft', '=', flag(state === 'draft'))
  return state === 'draft' ? present : present.where('expires_at', state === 'live' ? '>' : '<=', now)
}

/** Returns the rows in the order of the ids. */
async function loadRows(db: Database, ids: number[]): Promise<FoundRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom(presentEvents(db))
    .leftJoin('event_photo_totals', 'event_photo_totals.event_id', 'events.id')
    .selectAll('events')
    .select(['event_photo_totals.photo_count', videoCount, coverId])
    .select(waitingColumns)
    .where('events.id', 'in', ids)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row as FoundRow]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export const foundEventRecord = (row: FoundRow, origin: string, now: number): FoundEvent => ({
  ...eventListItem(row, row.photo_count ?? 0, origin, now),
  video_count: Number(row.video_count),
  customer_email: row.customer_email,
  require_password: row.require_password === 1,
  cover_photo_id: row.cover_id,
  total_views: row.total_views,
  waiting: waitingCounts(row),
})
