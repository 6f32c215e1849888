import type { AccountCaller } from '../../access/callers.ts'
import type { Database, Tx } from '../../platform/database/tables.ts'
import { inSnapshot } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { isOwnedBy, isOwner } from '../event-ownership.ts'
import type { EventRow } from '../event-rows.ts'
import { beingDeleted, trashedBefore } from './trash-rules.ts'

export type TrashedEventRow = EventRow & { trashed_at: number }

const trashedEvents = (db: Database) =>
  db.selectFrom('events').where('events.trashed_at', 'is not', null).$narrowType<{ trashed_at: number }>()

/** Throws NOT_FOUND for an event that is not in the trash, or that is being deleted for good. */
export async function getTrashedEvent(db: Database | Tx, eventId: number): Promise<TrashedEventRow> {
  const event = await trashedEvents(db)
    .selectAll()
    .where('id', '=', eventId)
    .where('trashed_at', '!=', beingDeleted)
    .executeTakeFirst()
  if (!event) throw new AppError('NOT_FOUND')
  return event as TrashedEventRow
}

/** Throws NOT_FOUND, or FORBIDDEN if the caller is not an owner of the event. */
export async function getOwnedTrashedEvent(
  ctx: PlatformContext,
  caller: AccountCaller,
  eventId: number,
): Promise<TrashedEventRow> {
  const event = await getTrashedEvent(ctx.db, eventId)
  if (!(await isOwner(ctx, caller, event))) throw new AppError('FORBIDDEN')
  return event
}

export const ownedTrashedEvents = (db: Database, { user }: AccountCaller) =>
  trashedEvents(db).where('events.trashed_at', '!=', beingDeleted).where(isOwnedBy(db, user))

export const hasTrashedEvents = async (db: Database): Promise<boolean> =>
  (await trashedEvents(db).select('id').limit(1).executeTakeFirst()) !== undefined

/** Returns the ids of the events that have been in the trash for 30 days or are being deleted for good. */
export const listDueEvents = ({ db, clock }: PlatformContext): Promise<number[]> =>
  inSnapshot(db, async (tx) => {
    const due = trashedEvents(tx).select('id').where('trashed_at', '<=', trashedBefore(clock.now()))
    return (await due.orderBy('trashed_at').execute()).map(({ id }) => id)
  })
