import type { EventMembers, Person } from '../../contract/event-members.ts'
import type { User } from '../access/account-rows.ts'
import type { AccountCaller } from '../access/callers.ts'
import type { Database } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { AppError, invalidField } from '../platform/errors/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { endUnownedDeliveries } from '../webhooks/token-webhooks.ts'
import { getOwnedEvent } from './event-ownership.ts'
import type { EventRow } from './event-rows.ts'
import { getChangeableEvent } from './get-changeable-event.ts'

/** Members cannot change the list of members. */
const canChooseMembers = ({ user }: AccountCaller, event: EventRow): boolean =>
  user.role === 'super_admin' || event.created_by === user.id

/** Throws NOT_FOUND or FORBIDDEN. */
export async function listMembers(ctx: PlatformContext, caller: AccountCaller, eventId: number): Promise<EventMembers> {
  const { db } = ctx
  const event = await getOwnedEvent(ctx, caller, eventId)
  const memberIds = new Set(await listMemberIds(db, eventId))
  const users = await db.selectFrom('users').selectAll().orderBy('username_key').execute()
  const isCandidate = ({ id, is_active }: User) => is_active === 1 && id !== event.created_by && !memberIds.has(id)
  const owner = users.find(({ id }) => id === event.created_by)
  return {
    owner: owner ? toPerson(owner) : null,
    members: users.filter(({ id }) => memberIds.has(id)).map(toPerson),
    candidates: canChooseMembers(caller, event) ? users.filter(isCandidate).map(toPerson) : [],
  }
}

/** Throws NOT_FOUND, FORBIDDEN, EVENT_ARCHIVED, or VALIDATION_ERROR if a new member is not an active account. */
export async function setMembers(
  ctx: PlatformContext,
  caller: AccountCaller,
  eventId: number,
  userIds: readonly number[],
): Promise<void> {
  const { db, clock, changes } = ctx
  const owned = await getOwnedEvent(ctx, caller, eventId)
  if (!canChooseMembers(caller, owned)) {
    throw new AppError('FORBIDDEN', { text: 'Only the owner of the event or a super admin can change its members.' })
  }
  await inTransaction(db, 'everything', async (tx) => {
    const event = await getChangeableEvent(tx, eventId)
    const before = await listMemberIds(tx, eventId)
    const requestedIds = [...new Set(userIds)].filter((id) => id !== event.created_by)
    const added = requestedIds.filter((id) => !before.includes(id))
    await assertMembers(tx, added)
    const removed = before.filter((id) => !requestedIds.includes(id))
    if (removed.length > 0) {
      await tx.deleteFrom('event_members').where('event_id', '=', eventId).where('user_id', 'in', removed).execute()
      await endUnownedDeliveries(tx, clock.now())
    }
    if (added.length > 0) {
      await tx
        .insertInto('event_members')
        .values(added.map((id) => ({ event_id: eventId, user_id: id })))
        .onConflict((conflict) => conflict.columns(['event_id', 'user_id']).doNothing())
        .execute()
    }
  })
  changes.notify('event', eventId)
}

async function assertMembers(db: Database, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const active = await db.selectFrom('users').select('id').where('id', 'in', ids).where('is_active', '=', 1).execute()
  if (active.length < ids.length) throw invalidField('user_ids', 'must be ids of active accounts')
}

async function listMemberIds(db: Database, eventId: number): Promise<number[]> {
  const rows = await db.selectFrom('event_members').select('user_id').where('event_id', '=', eventId).execute()
  return rows.map(({ user_id }) => user_id)
}

const toPerson = ({ id, username, role, is_active }: User): Person => ({
  id,
  username,
  role,
  is_active: is_active === 1,
})
