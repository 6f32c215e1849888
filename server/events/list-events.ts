import type { EventRecord, ListEventsQuery } from '../../contract/events.ts'
import type { AccountCaller } from '../access/callers.ts'
import { invalidField } from '../platform/app-error.ts'
import { flag } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { type EventTotals, eventRecord } from './event-records.ts'
import type { EventRow } from './event-rows.ts'

export type EventPage = {
  rows: Array<EventRow & { photo_count: number | null }>
  pagination: { page: number; limit: number; offset: number; total: number; pages: number }
}

/** Returns the caller's events, newest first. */
export async function listEvents(
  { db }: PlatformContext,
  { user }: AccountCaller,
  query: ListEventsQuery,
): Promise<EventPage> {
  const { limit } = query
  const offset = resolveOffset(query)

  let events = db.selectFrom('events')
  if (query.is_archived !== undefined) events = events.where('is_archived', '=', flag(query.is_archived))
  if (query.is_draft !== undefined) events = events.where('is_draft', '=', flag(query.is_draft))
  if (query.event_type !== undefined) events = events.where('event_type', '=', query.event_type)
  if (user.role !== 'super_admin') {
    events = events.where((where) =>
      where.or([
        where('created_by', '=', user.id),
        where('id', 'in', where.selectFrom('event_members').select('event_id').where('user_id', '=', user.id)),
      ]),
    )
  }

  const { total } = await events.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await events
    .leftJoin('event_photo_totals', 'event_photo_totals.event_id', 'events.id')
    .selectAll('events')
    .select('event_photo_totals.photo_count')
    .orderBy('events.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { rows, pagination: toPagination(limit, offset, total) }
}

export function resolveOffset({ limit, page, offset }: ListEventsQuery): number {
  if (page !== undefined && offset !== undefined) throw invalidField('offset', 'Send page or offset, not both.')
  return offset ?? ((page ?? 1) - 1) * limit
}

export const toPagination = (limit: number, offset: number, total: number): EventPage['pagination'] => ({
  page: Math.floor(offset / limit) + 1,
  limit,
  offset,
  total,
  pages: Math.ceil(total / limit),
})

/** Returns the chosen photo, or the first visible one. */
async function findCover({ db }: PlatformContext, event: EventRow): Promise<number | null> {
  const photos = db.selectFrom('photos').select('id').where('event_id', '=', event.id)
  const chosen = event.cover_photo_id && (await photos.where('id', '=', event.cover_photo_id).executeTakeFirst())
  if (chosen) return chosen.id
  const first = await photos
    .where('visibility', '=', 'visible')
    .orderBy('uploaded_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return first?.id ?? null
}

/** Transactions that change photos maintain the totals, so no count is necessary. */
async function loadTotals({ db }: PlatformContext, eventId: number): Promise<EventTotals> {
  const row = await db
    .selectFrom('event_photo_totals')
    .select(['photo_count', 'total_size'])
    .where('event_id', '=', eventId)
    .executeTakeFirst()
  return row ?? { photo_count: 0, total_size: 0 }
}

export async function loadEventRecord(ctx: PlatformContext, event: EventRow, origin: string): Promise<EventRecord> {
  const facts = { ...(await loadTotals(ctx, event.id)), cover_photo_id: await findCover(ctx, event) }
  return eventRecord(event, facts, origin, ctx.clock.now())
}
