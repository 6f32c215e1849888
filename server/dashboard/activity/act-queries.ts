import { type RawBuilder, sql } from 'kysely'
import { actKey, type ListActsQuery } from '../../../contract/instance/acts.ts'
import type { AccountCaller } from '../../access/callers.ts'
import { ownedEventIds } from '../../events/event-ownership.ts'
import type { Database } from '../../platform/database/tables.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { days, hours } from '../../platform/time/clock.ts'

/**
 * The same act by the same person on the same event within an hour of the clock, as one row. Fixed hours keep a fold the
 * same on each page.
 */
export type Fold = {
  act: string
  event_id: number
  /** The id of a guest or an account; empty for none. */
  person: string
  count: number
  first_at: number
  last_at: number
}

export const hourMs = hours(1)

/** `until` is excluded. Both are full hours, so that no fold is cut. */
export type Span = { from: number; until: number }

export type ActFilter = Pick<ListActsQuery, 'event_id' | 'user_id' | 'action'>

/** A query for rows `act`, `event_id`, `person`, `at`, `count` of a span of time. */
export type ActSource = (span: Span) => RawBuilder<unknown>

export const startOfHour = (epochMs: number): number => Math.floor(epochMs / hourMs) * hourMs

export const foldId = (time: number, { act, event_id, person }: Pick<Fold, 'act' | 'event_id' | 'person'>): string =>
  `${time}.${act}.${event_id}.${person}`

const foldIdPattern = new RegExp(actKey)

/** Throws NOT_FOUND for an invalid id of a fold. */
export function parseFoldId(id: string): { time: number } & Pick<Fold, 'act' | 'event_id' | 'person'> {
  if (!foldIdPattern.test(id)) throw new AppError('NOT_FOUND')
  const [time, act = '', eventId, person = ''] = id.split('.')
  return { time: Number(time), act, event_id: Number(eventId), person }
}

/** The first span has what the overview needs in most cases. The last one has everything. */
const spansMs = [days(1), days(30), Number.POSITIVE_INFINITY]

type FoldQuery = { before: string | undefined; since: number | null; limit: number; now: number }

/** Newest first. Reads longer spans of time until the page is full. Returns one more than `limit` if there are more. */
export async function listFolds(db: Database, source: ActSource, query: FoldQuery): Promise<Fold[]> {
  const { before, limit, now } = query
  const last = before === undefined ? null : parseFoldId(before)
  // Clocks of several nodes can differ.
  const until = startOfHour(last?.time ?? now + hourMs) + hourMs
  const earliest = startOfHour(query.since ?? 0)
  for (const spanMs of spansMs) {
    const from = Math.max(earliest, Math.max(until - spanMs, 0))
    const folds = await fold(db, source({ from, until }), { last, limit })
    if (folds.length > limit || from === earliest) return folds
  }
  return []
}

type PageStart = { last: ReturnType<typeof parseFoldId> | null; limit: number }

async function fold(db: Database, acts: RawBuilder<unknown>, { last, limit }: PageStart): Promise<Fold[]> {
  const key = sql`act || '.' || event_id || '.' || person`
  const isLater = last
    ? sql`last_at < ${last.time} or (last_at = ${last.time} and ${key} > ${`${last.act}.${last.event_id}.${last.person}`})`
    : sql`true`
  const { rows } = await sql<Fold>`select act, event_id, person, count, first_at, last_at from (
      select act, event_id, person, sum(count) as count, min(at) as first_at, max(at) as last_at
      from (${acts}) as acts group by act, event_id, person, at / ${sql.lit(hourMs)}
    ) as folds
    where ${isLater}
    order by last_at desc, ${key} limit ${limit + 1}`.execute(db)
  return rows.map(({ act, event_id, person, count, first_at, last_at }) => ({
    act,
    event_id: Number(event_id),
    person,
    count: Number(count),
    first_at: Number(first_at),
    last_at: Number(last_at),
  }))
}

/** Limits a source to the events of the caller, and to one event if the filter has one. */
export function isVisibleEvent(
  db: Database,
  { user }: AccountCaller,
  { event_id: eventId }: ActFilter,
): RawBuilder<boolean> {
  if (eventId !== undefined) return sql<boolean>`event_id = ${eventId}`
  return user.role === 'super_admin' ? sql<boolean>`true` : sql<boolean>`event_id in ${ownedEventIds(db, user)}`
}
