import type { AccountCaller } from '../../access/callers.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { deleteTrashedEvent } from '../delete-event.ts'
import { listDueEvents, ownedTrashedEvents } from './trashed-event-rows.ts'

/** Deletes the events in the trash that the caller owns. Returns how many. */
export async function emptyEventTrash(ctx: AppContext, caller: AccountCaller): Promise<number> {
  const owned = await ownedTrashedEvents(ctx.db, caller).select('events.id').execute()
  return deleteAll(
    ctx,
    owned.map(({ id }) => id),
  )
}

/** Deletes the events that have been in the trash for 30 days, and completes interrupted deletions. Runs every hour. */
export const purgeEvents = async (ctx: AppContext): Promise<number> => deleteAll(ctx, await listDueEvents(ctx))

/** Leaves out events that another request has restored or deleted. */
async function deleteAll(ctx: AppContext, ids: readonly number[]): Promise<number> {
  let deleted = 0
  for (const id of ids) {
    try {
      await deleteTrashedEvent(ctx, id)
      deleted++
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error
    }
  }
  return deleted
}
