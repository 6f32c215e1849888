import type { ActList, ActRecord, ListActsQuery } from '../../../contract/instance/acts.ts'
import type { AccountCaller } from '../../access/callers.ts'
import { getOwnedEvent, ownedEvents } from '../../events/event-ownership.ts'
import { loadGuestNames } from '../../events/guests/guest-rows.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { isoTime } from '../../platform/time/clock.ts'
import { parseInputTime } from '../../platform/time/input-times.ts'
import { accountActSource, lockedSuffix } from './account-acts.ts'
import { type Fold, foldId, listFolds, startOfHour } from './act-queries.ts'
import { guestActSource } from './guest-acts.ts'

/**
 * Lists what guests or accounts did, newest first, in folds of an hour. A super_admin sees everything, others see their
 * events and what they did themselves. Throws NOT_FOUND, FORBIDDEN and VALIDATION_ERROR.
 */
export async function listActs(
  ctx: PlatformContext,
  caller: AccountCaller,
  query: ListActsQuery,
  { includesSignIns = true } = {},
): Promise<ActList> {
  const { db } = ctx
  const { by, limit, before } = query
  if (query.event_id !== undefined) await getOwnedEvent(ctx, caller, query.event_id)
  const since = query.since === undefined ? null : parseInputTime('since', query.since)
  const source =
    by === 'guests' ? guestActSource(db, caller, query) : accountActSource(db, caller, query, { includesSignIns })
  const found = await listFolds(db, source, { before, since, limit, now: ctx.clock.now() })
  const folds = found.slice(0, limit)
  const last = folds.at(-1)
  return {
    acts: await describeFolds(ctx, caller, by, folds),
    next: last && found.length > limit ? foldId(last.last_at, last) : null,
  }
}

async function describeFolds(
  { db }: PlatformContext,
  caller: AccountCaller,
  by: ListActsQuery['by'],
  folds: Fold[],
): Promise<ActRecord[]> {
  if (folds.length === 0) return []
  const people = [...new Set(folds.flatMap(({ person }) => person || []))]
  const eventIds = [...new Set(folds.map(({ event_id }) => event_id))]
  const events = await ownedEvents(db, caller.user)
    .select(['events.id', 'events.event_name'])
    .where('events.id', 'in', eventIds)
    .execute()
  const eventNames = new Map(events.map(({ id, event_name }) => [id, event_name]))
  const guestNames = by === 'guests' ? await loadGuestNames(db, people) : new Map<string, string | null>()
  const usernames = by === 'accounts' ? await loadUsernames(db, people) : new Map<string, string>()
  return folds.map((fold) => {
    const { act, event_id, person, count, first_at, last_at } = fold
    const isLocked = act.endsWith(lockedSuffix)
    return {
      id: foldId(startOfHour(last_at), fold),
      act: isLocked ? act.slice(0, -lockedSuffix.length) : act,
      is_locked: isLocked,
      count,
      guest: by === 'guests' && person ? { id: person, name: guestNames.get(person) ?? null } : null,
      user: by === 'accounts' && person ? { id: Number(person), username: usernames.get(person) ?? null } : null,
      event: event_id === 0 ? null : { id: event_id, event_name: eventNames.get(event_id) ?? null },
      first_at: isoTime(first_at),
      last_at: isoTime(last_at),
    }
  })
}

async function loadUsernames(db: PlatformContext['db'], ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const users = await db.selectFrom('users').select(['id', 'username']).where('id', 'in', ids.map(Number)).execute()
  return new Map(users.map(({ id, username }) => [String(id), username]))
}
