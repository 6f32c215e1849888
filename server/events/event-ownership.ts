import type { AccountCaller } from '../access/callers.ts'
import type { Backends } from '../platform/backends.ts'
import { Refusal } from '../platform/refusal.ts'
import { type EventRow, findEvent } from './event-rows.ts'

/** "Owns" means creator, member or super_admin (decisions §3). What an owner may do is a question of the role. */
export async function owns({ db }: Backends, { user }: AccountCaller, event: EventRow): Promise<boolean> {
  if (user.role === 'super_admin' || event.created_by === user.id) return true
  const membership = await db
    .selectFrom('event_members')
    .select('user_id')
    .where('event_id', '=', event.id)
    .where('user_id', '=', user.id)
    .executeTakeFirst()
  return membership !== undefined
}

/** Throws NOT_FOUND for no such event and FORBIDDEN for one of another owner. */
export async function getOwnedEvent(backends: Backends, caller: AccountCaller, eventId: number): Promise<EventRow> {
  const event = await findEvent(backends.db, eventId)
  if (!event) throw new Refusal('NOT_FOUND')
  if (!(await owns(backends, caller, event))) throw new Refusal('FORBIDDEN')
  return event
}
