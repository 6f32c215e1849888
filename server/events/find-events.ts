import { type SelectQueryBuilder, sql } from 'kysely'
import type { EventSort, EventState, FindEventsQuery, FoundEvent } from '../../contract/events.ts'
import type { AccountCaller } from '../access/callers.ts'
import { flag, type Tables } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { createEventComparator, matchesWords, type SortedEvent, splitWords } from './event-order.ts'
import { ownedEventIds } from './event-ownership.ts'
import { eventListItem } from './event-records.ts'
import { type EventPage, resolveOffset, toPagination } from './list-events.ts'

export type FoundPage = { rows: FoundRow[]; pagination: EventPage['pagination'] }
type FoundRow = EventPage['rows'][number] & { cover_id: number | null }
type Events = SelectQueryBuilder<Tables, 'events', object>

/** Compares words and names in code, so that both databases give the same order. There are only hundreds of events. */
export async function findEvents(
  { db, clock }: PlatformContext,
  { user }: AccountCaller,
  query: FindEventsQuery,
): Promise<FoundPage> {
  const { limit, search = '', sort = 'created' } = query
  const offset = resolveOffset(query)
  const owned = db.selectFrom('events').where('events.id', 'in', ownedEventIds(db, user))
  const candidates: SortedEvent[] = await applyFilters(owned, query, clock.now())
    .leftJoin('event_photo_totals', 'event_photo_totals.event_id', 'events.id')
    .select(['id', 'slug', 'event_name', 'customer_name', 'customer_email', 'event_date', 'expires_at', 'total_views'])
    .select('photo_count')
    .execute()
  const words = splitWords(search)
  const found = candidates
    .filter((event) => matchesWords(event, words))
    .sort(createEventComparator(sort, query.order ?? defaultOrder(sort)))
  const pageIds = found.slice(offset, offset + limit).map(({ id }) => id)
  return { rows: await loadRows({ db }, pageIds), pagination: toPagination(limit, offset, found.length) }
}

const defaultOrder = (sort: EventSort) => (sort === 'name' ? 'asc' : 'desc')

function applyFilters(events: Events, query: FindEventsQuery, now: number): Events {
  const { is_archived, is_draft, event_type, state } = query
  let filtered = events
  if (is_archived !== undefined) filtered = filtered.where('is_archived', '=', flag(is_archived))
  if (is_draft !== undefined) filtered = filtered.where('is_draft', '=', flag(is_draft))
  if (event_type !== undefined) filtered = filtered.where('event_type', '=', event_type)
  return state === undefined ? filtered : filterByState(filtered, state, now)
}

function filterByState(events: Events, state: EventState, now: number): Events {
  if (state === 'archived') return events.where('is_archived', '=', 1)
  const present = events.where('is_archived', '=', 0).where('is_draft', '=', flag(state === 'draft'))
  return state === 'draft' ? present : present.where('expires_at', state === 'live' ? '>' : '<=', now)
}

/** Returns rows in the order of the ids. The cover is the chosen photo, or the first visible one. */
async function loadRows({ db }: Pick<PlatformContext, 'db'>, ids: number[]): Promise<FoundRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('events')
    .leftJoin('event_photo_totals', 'event_photo_totals.event_id', 'events.id')
    .selectAll('events')
    .select('event_photo_totals.photo_count')
    .select(
      sql<number | null>`coalesce(
        (select id from photos where id = events.cover_photo_id and event_id = events.id),
        (select id from photos where event_id = events.id and visibility = 'visible' order by uploaded_at, id limit 1)
      )`.as('cover_id'),
    )
    .where('events.id', 'in', ids)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export const foundEventRecord = (row: FoundRow, origin: string, now: number): FoundEvent => ({
  ...eventListItem(row, row.photo_count ?? 0, origin, now),
  customer_email: row.customer_email,
  require_password: row.require_password === 1,
  cover_photo_id: row.cover_id,
  total_views: row.total_views,
})
