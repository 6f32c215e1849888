import { sql } from 'kysely'
import type { EventPagination, EventRecord, ListEventsQuery, ListOwnEventsQuery } from '../../contract/events.ts'
import type { AccountCaller } from '../access/callers.ts'
import { toPagination } from '../platform/database/pagination.ts'
import { flag } from '../platform/database/tables.ts'
import { invalidField } from '../platform/errors/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { parseInputTime } from '../platform/time/input-times.ts'
import { matchesWords, splitWords } from './event-order.ts'
import { ownedEvents } from './event-ownership.ts'
import { eventRecord } from './event-records.ts'
import { type EventRow, presentEvents } from './event-rows.ts'
import { visibleToGuests } from './visible-photos.ts'

export type EventPage = {
  rows: Array<EventRow & { photo_count: number | null }>
  pagination: { page: number; limit: number; offset: number; total: number; pages: number }
}

type OwnEventPage = { rows: EventPage['rows']; pagination: EventPagination }

/** Newest first. Throws VALIDATION_ERROR. */
export async function listEvents(
  { db }: PlatformContext,
  { user }: AccountCaller,
  query: ListOwnEventsQuery,
): Promise<OwnEventPage> {
  const { limit, search = '', updated_since: since = '' } = query
  const offset = resolveOffset(query)
  let events = filterEvents(ownedEvents(db, user), query)
  if (since) events = events.where('events.updated_at', '>=', parseInputTime('updated_since', since))
  const words = splitWords(search)
  if (words.length > 0) events = events.where('events.id', 'in', await findIds(events, words))
  const { total } = await events.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  // One row more than the page shows whether there is a next page.
  const found = await (query.after ? events.where('events.id', '<', parseCursor(query)) : events)
    .leftJoin('event_photo_totals', 'event_photo_totals.event_id', 'events.id')
    .selectAll('events')
    .select('event_photo_totals.photo_count')
    .orderBy('events.id', 'desc')
    .limit(limit + 1)
    .offset(offset)
    .execute()
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const next = last && found.length > limit ? formatCursor(last.id) : null
  const place = query.after ? { page: null, offset: null } : {}
  return { rows, pagination: { ...offsetPagination(limit, offset, total), ...place, next } }
}

/** There are only hundreds of events. */
async function findIds(events: Events, words: readonly string[]): Promise<number[]> {
  const searched = ['id', 'slug', 'event_name', 'customer_name', 'customer_email'] as const
  const rows = await events.select(searched).execute()
  return rows.filter((event) => matchesWords(event, words)).map(({ id }) => id)
}

const formatCursor = (id: number): string => Buffer.from(`e${id}`).toString('base64url')

function parseCursor({ after = '', page, offset }: ListOwnEventsQuery): number {
  if (page !== undefined || offset !== undefined) {
    throw invalidField('after', 'must not be sent together with page or offset')
  }
  const [, id = ''] = /^e(\d{1,15})$/.exec(Buffer.from(after, 'base64url').toString()) ?? []
  if (id === '') throw invalidField('after', 'must be the `next` of a page of this list')
  return Number(id)
}

export type Events = ReturnType<typeof ownedEvents>
type Filters = Pick<ListEventsQuery, 'is_archived' | 'is_draft' | 'event_type'>

export function filterEvents(events: Events, { is_archived, is_draft, event_type }: Filters): Events {
  let filtered = events
  if (is_archived !== undefined) filtered = filtered.where('is_archived', '=', flag(is_archived))
  if (is_draft !== undefined) filtered = filtered.where('is_draft', '=', flag(is_draft))
  if (event_type !== undefined) filtered = filtered.where('event_type', '=', event_type)
  return filtered
}

export function resolveOffset({ limit, page, offset }: ListEventsQuery): number {
  if (page !== undefined && offset !== undefined) throw invalidField('offset', 'Send page or offset, not both.')
  return offset ?? ((page ?? 1) - 1) * limit
}

export const offsetPagination = (limit: number, offset: number, total: number): EventPage['pagination'] => ({
  ...toPagination({ page: Math.floor(offset / limit) + 1, limit }, total),
  offset,
})

/** The literal allows the partial index to be used. PostgreSQL returns a string. */
export const videoCount =
  sql<number>`(select count(*) from photos where event_id = events.id and media_type = 'video')`.as('video_count')

/** The id of the chosen cover, even if that photo is hidden, or else of the first photo that guests see. */
export const coverId = sql<number | null>`coalesce(
  (select id from photos where id = events.cover_photo_id and event_id = events.id),
  (select id from photos where event_id = events.id and ${visibleToGuests()} order by uploaded_at, id limit 1)
)`.as('cover_id')

/** Reads `event_photo_totals` instead of counting: adding, replacing or deleting a photo updates these totals. */
export async function loadEventRecord(ctx: PlatformContext, event: EventRow, origin: string): Promise<EventRecord> {
  const facts = await ctx.db
    .selectFrom(presentEvents(ctx.db))
    .leftJoin('event_photo_totals', 'event_photo_totals.event_id', 'events.id')
    .select(['photo_count', 'total_size', videoCount, coverId])
    .where('events.id', '=', event.id)
    .executeTakeFirst()
  const totals = {
    photo_count: facts?.photo_count ?? 0,
    video_count: Number(facts?.video_count ?? 0),
    total_size: facts?.total_size ?? 0,
  }
  return eventRecord(event, { ...totals, cover_photo_id: facts?.cover_id ?? null }, origin, ctx.clock.now())
}
