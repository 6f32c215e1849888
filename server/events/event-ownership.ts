import { type RawBuilder, sql } from 'kysely'
import type { User } from '../access/account-rows.ts'
import type { AccountCaller } from '../access/callers.ts'
import { byKey } from '../platform/database/short-read.ts'
import type { Database, Tx } from '../platform/database/tables.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { endUnownedDeliveries } from '../webhooks/token-webhooks.ts'
import { type EventRow, findEvent, presentEvents } from './event-rows.ts'

/** Owners are the creator, the members and each super_admin. Their permissions depend on their roles. */
export async function isOwner({ db }: PlatformContext, { user }: AccountCaller, event: EventRow): Promise<boolean> {
  if (user.role === 'super_admin' || event.created_by === user.id) return true
  const membership = await db
    .selectFrom('event_members')
    .select('user_id')
    .where('event_id', '=', event.id)
    .where('user_id', '=', user.id)
    .modifyEnd(byKey)
    .executeTakeFirst()
  return membership !== undefined
}

export const ownedEventIds = (db: Database, user: User) => ownedEvents(db, user).select('events.id')

export const ownedEvents = (db: Database, user: User) => db.selectFrom(presentEvents(db)).where(isOwnedBy(db, user))

/** A query condition: the event in the table or alias `events` belongs to the account, like `isOwner`. */
export function isOwnedBy(db: Database, user: User): RawBuilder<boolean> {
  if (user.role === 'super_admin') return sql<boolean>`true`
  const memberships = db.selectFrom('event_members').select('event_id').where('user_id', '=', user.id)
  return sql<boolean>`(events.created_by = ${user.id} or events.id in ${memberships})`
}

/** Throws NOT_FOUND, or FORBIDDEN if the caller is not an owner of the event. */
export async function getOwnedEvent(ctx: PlatformContext, caller: AccountCaller, eventId: number): Promise<EventRow> {
  const event = await findEvent(ctx.db, eventId)
  if (!event) throw new AppError('NOT_FOUND')
  if (!(await isOwner(ctx, caller, event))) throw new AppError('FORBIDDEN')
  return event
}

/** Returns the number of transferred events. Other members stay. Notify `event` after the commit. */
export async function transferEvents(
  { clock }: PlatformContext,
  tx: Tx,
  { fromId, toId }: { fromId: number; toId: number },
): Promise<number> {
  // The new creator needs no membership.
  await tx
    .deleteFrom('event_members')
    .where('user_id', '=', toId)
    .where('event_id', 'in', (where) => where.selectFrom('events').select('id').where('created_by', '=', fromId))
    .execute()
  const { numUpdatedRows } = await tx
    .updateTable('events')
    .set({ created_by: toId, updated_at: clock.now() })
    .where('created_by', '=', fromId)
    .executeTakeFirstOrThrow()
  await endUnownedDeliveries(tx, clock.now())
  return Number(numUpdatedRows)
}
