import { type SelectQueryBuilder, sql } from 'kysely'
import type { ListedGuest } from '../../../contract/gallery/guests.ts'
import { must } from '../../../contract/must.ts'
import { guestRecord } from '../../events/guests/guest-rows.ts'
import type { Database, Tables } from '../../platform/database/tables.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { isoTime } from '../../platform/time/clock.ts'
import { countFeedback, type FeedbackCounts, feedbackCountsRecord, noCounts } from '../marks/feedback-counts.ts'

/** Limits each query, so that other queries can use the reader thread of SQLite in between. */
const guestsPerPage = 200

export type ActiveGuest = {
  id: string
  name: string | null
  email: string | null
  firstSeenAt: number
  lastSeenAt: number
  counts: FeedbackCounts
  selections: number
}

export const listedGuest = (guest: ActiveGuest): ListedGuest => ({
  ...guestRecord(guest),
  ...feedbackCountsRecord(guest.counts),
  selection_count: guest.selections,
  first_seen_at: isoTime(guest.firstSeenAt),
  last_seen_at: isoTime(guest.lastSeenAt),
})

/** Returns guests with a name, mail address, feedback or selection, last seen first. Merged guests count as one. */
export async function listGuests(
  { db }: PlatformContext,
  eventId: number,
  { page, limit }: { page: number; limit: number },
): Promise<{ guests: ActiveGuest[]; total: number }> {
  const activity = queryActivity(db, eventId)
  const { total } = await db
    .selectFrom(activity.as('sightings'))
    .select(({ fn }) => fn.count<number>('guest_id').distinct().as('total'))
    .executeTakeFirstOrThrow()
  const seen = await db
    .selectFrom(activity.as('sightings'))
    .leftJoin('guests', 'guests.id', 'sightings.guest_id')
    .select(({ fn }) => [
      'guest_id',
      fn.max('guests.name').as('name'),
      fn.max('guests.email').as('email'),
      fn.min('seen_at').as('first_seen_at'),
      fn.max('seen_at').as('last_seen_at'),
    ])
    .groupBy('guest_id')
    .orderBy('last_seen_at', 'desc')
    .orderBy('guest_id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const ids = seen.map(({ guest_id }) => guest_id)
  const counts = await countFeedback(db, eventId, ids)
  const selections = await countSelections(db, eventId, ids)
  const guests = seen.map(({ guest_id: id, name, email, first_seen_at, last_seen_at }) => ({
    id,
    name,
    email,
    firstSeenAt: Number(first_seen_at),
    lastSeenAt: Number(last_seen_at),
    counts: counts.get(id) ?? noCounts,
    selections: selections.get(id) ?? 0,
  }))
  return { guests, total: Number(total) }
}

/** Like `listGuests`, without pages. */
export async function listAllGuests(ctx: PlatformContext, eventId: number): Promise<ActiveGuest[]> {
  const found: ActiveGuest[] = []
  for (let page = 1; ; page++) {
    const { guests } = await listGuests(ctx, eventId, { page, limit: guestsPerPage })
    found.push(...guests)
    // A new guest shifts the others to later pages, so a guest may appear twice.
    if (guests.length < guestsPerPage) return [...new Map(found.map((guest) => [guest.id, guest])).values()]
  }
}

type Activity = SelectQueryBuilder<Tables, never, { guest_id: string; seen_at: number }>

function queryActivity(db: Database, eventId: number): Activity {
  const mergedGuestId = (column: string) => sql<string>`coalesce(guests.merged_into, ${sql.ref(column)})`.as('guest_id')
  const rows = (table: 'feedback' | 'selections', time: 'created_at' | 'updated_at') =>
    db
      .selectFrom(table)
      .leftJoin('guests', 'guests.id', `${table}.guest_id`)
      .select([mergedGuestId(`${table}.guest_id`), sql<number>`${sql.ref(`${table}.${time}`)}`.as('seen_at')])
      .where(`${table}.event_id`, '=', eventId)
      .where(`${table}.guest_id`, 'is not', null)
  const known = (time: 'created_at' | 'updated_at') =>
    db
      .selectFrom('guests')
      .select([mergedGuestId('guests.id'), `guests.${time} as seen_at`])
      .where('guests.event_id', '=', eventId)
      .where('guests.erased_at', 'is', null)
  return known('created_at')
    .unionAll(known('updated_at'))
    .unionAll(rows('feedback', 'created_at'))
    .unionAll(rows('feedback', 'updated_at'))
    .unionAll(rows('selections', 'created_at')) as unknown as Activity
}

/** By guest id; guests without a selection are absent. */
async function countSelections(db: Database, eventId: number, guestIds: string[]): Promise<Map<string, number>> {
  if (guestIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('selections')
    .select(({ fn }) => ['guest_id', fn.countAll<number>().as('count')])
    .where('event_id', '=', eventId)
    .where('guest_id', 'in', guestIds)
    .groupBy('guest_id')
    .execute()
  return new Map(rows.map(({ guest_id, count }) => [must(guest_id, 'the guest of a selection'), Number(count)]))
}
