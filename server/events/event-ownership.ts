import type { User } from '../access/account-rows.ts'
import type { AccountCaller } from '../access/callers.ts'
import { AppError } from '../platform/app-error.ts'
import type { Database } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { type EventRow, findEvent } from './event-rows.ts'

/** An owner is the creator, a member or a super_admin. Permissions depend on the role. */
export async function isOwner({ db }: PlatformContext, { user }: AccountCaller, event: EventRow): Promise<boolean> {
  if (user.role === 'super_admin' || event.created_by === user.id) return true
  const membership = await db
    .selectFrom('event_members')
    .select('user_id')
    .where('event_id', '=', event.id)
    .where('user_id', '=', user.id)
    .executeTakeFirst()
  return membership !== undefined
}

/** A query for the ids of the events that an account owns. */
export const ownedEventIds = (db: Database, user: User) =>
  db
    .selectFrom('events')
    .select('events.id')
    .$if(user.role !== 'super_admin', (events) =>
      events.where((where) =>
        where.or([
          where('events.created_by', '=', user.id),
          where('events.id', 'in', where.selectFrom('event_members').select('event_id').where('user_id', '=', user.id)),
        ]),
      ),
    )

/** Throws NOT_FOUND, or FORBIDDEN for an event of another owner. */
export async function getOwnedEvent(ctx: PlatformContext, caller: AccountCaller, eventId: number): Promise<EventRow> {
  const event = await findEvent(ctx.db, eventId)
  if (!event) throw new AppError('NOT_FOUND')
  if (!(await isOwner(ctx, caller, event))) throw new AppError('FORBIDDEN')
  return event
}
