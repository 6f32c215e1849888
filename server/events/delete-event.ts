import type { Tx } from '../platform/database/tables.ts'
import { inSnapshot, inTransaction } from '../platform/database/transaction.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { AppContext } from '../settings/app-context.ts'
import { announceEvent } from './event-announcements.ts'
import { eventPrefix, eventsPrefix } from './event-rules.ts'
import { getEventInTransaction } from './get-changeable-event.ts'
import { deleteEventGuests } from './guests/delete-event-guests.ts'
import { beingDeleted } from './trash/trash-rules.ts'

/** Deleted events whose files are not deleted yet. */
export type DeletedEventTable = { event_id: number; deleted_at: number }

declare module '../platform/database/tables.ts' {
  interface Tables {
    deleted_events: DeletedEventTable
  }
}

/** Deletes an event in any state with its photos and feedback. Throws NOT_FOUND. */
export async function deleteEvent(ctx: AppContext, eventId: number): Promise<void> {
  const { db, clock, settings, changes } = ctx
  const origin = await settings.linkOrigin()
  await inTransaction(db, 'everything', async (tx) => {
    const row = await getEventInTransaction(tx, eventId)
    const now = clock.now()
    // Before the deletion, while the owners of the event are known.
    await announceEvent(tx, 'event.deleted', row, origin, now)
    await beginDeletion(tx, eventId, 'is')
  })
  changes.notify('event', eventId)
  changes.notify('photo', null)
  changes.notify('delivery', eventId)
  await completeDeletion(ctx, eventId)
}

/**
 * Deletes an event in the trash. `event.deleted` was announced when it was moved there. Throws NOT_FOUND, also if it has
 * been restored. Also completes a deletion that a crash has interrupted.
 */
export async function deleteTrashedEvent(ctx: AppContext, eventId: number): Promise<void> {
  const { db, changes } = ctx
  await inTransaction(db, 'everything', async (tx) => {
    if (!(await beginDeletion(tx, eventId, 'is not'))) throw new AppError('NOT_FOUND')
  })
  changes.notify('event', eventId)
  await completeDeletion(ctx, eventId)
}

/** From now on the event is invisible and cannot be restored. Returns false if it is in another state. */
async function beginDeletion(tx: Tx, eventId: number, trashed: 'is' | 'is not'): Promise<boolean> {
  const events = tx.updateTable('events').set({ trashed_at: beingDeleted }).where('id', '=', eventId)
  return (await events.where('trashed_at', trashed, null).executeTakeFirstOrThrow()).numUpdatedRows > 0n
}

async function completeDeletion(ctx: AppContext, eventId: number): Promise<void> {
  await deleteEventGuests(ctx, eventId)
  await inTransaction(ctx.db, 'everything', async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom('events').where('id', '=', eventId).executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) return
    await tx.insertInto('deleted_events').values({ event_id: eventId, deleted_at: ctx.clock.now() }).execute()
  })
  await removeFilesNow(ctx)
}

async function removeFilesNow(ctx: AppContext): Promise<void> {
  // The event is already deleted. An hourly job removes the remaining files.
  await removeFilesOfDeletedEvents(ctx).catch((err) =>
    ctx.log.error({ err }, 'Could not remove the files of deleted events; retrying later'),
  )
}

/** Also runs every hour, for files that a crash or a failure has left. A failure does not stop the other removals. */
export async function removeFilesOfDeletedEvents({ db, storage, log }: PlatformContext): Promise<void> {
  const deleted = await inSnapshot(db, (tx) => tx.selectFrom('deleted_events').select('event_id').execute())
  for (const { event_id } of deleted) {
    try {
      await storage.removePrefix(eventPrefix(event_id))
      await db.deleteFrom('deleted_events').where('event_id', '=', event_id).execute()
    } catch (err) {
      log.error({ err, event_id }, 'Could not remove the files of a deleted event')
    }
  }
}

/** Removes the empty folders that uploads leave if they end after the deletion of their event. */
export async function removeFoldersOfDeletedEvents({ db, storage, log }: PlatformContext): Promise<void> {
  const names = await storage.listFolders(eventsPrefix)
  // Read after the folders, so that the folder of a new event is not removed. In a transaction, because on SQLite a
  // read outside of one would start the reader thread.
  const events = await inSnapshot(db, (tx) => tx.selectFrom('events').select('id').execute())
  const existing = new Set(events.map(({ id }) => String(id)))
  const orphaned = names.filter((name) => /^[1-9]\d*$/.test(name) && !existing.has(name))
  for (const name of orphaned) {
    const removing = storage.removeEmptyFolders(eventPrefix(Number(name)))
    await removing.catch((err) => log.error({ err, event_id: name }, 'Could not remove empty folders'))
  }
}
