import type { Tx } from '../platform/database/tables.ts'
import { inSnapshot, inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { AppContext } from '../settings/app-context.ts'
import { announceEvent } from './event-announcements.ts'
import { eventPrefix, eventsPrefix } from './event-rules.ts'
import { getEventInTransaction } from './get-changeable-event.ts'
import { getTrashedEvent } from './trash/trashed-event-rows.ts'

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
    await deleteRow(tx, eventId, now)
  })
  changes.notify('event', eventId)
  changes.notify('photo', null)
  changes.notify('delivery', eventId)
  await removeFilesNow(ctx)
}

/**
 * Deletes an event in the trash. `event.deleted` was announced when it was moved there. Throws NOT_FOUND, also if it has
 * been restored.
 */
export async function deleteTrashedEvent(ctx: AppContext, eventId: number): Promise<void> {
  const { db, clock, changes } = ctx
  await inTransaction(db, 'everything', async (tx) => {
    await getTrashedEvent(tx, eventId)
    await deleteRow(tx, eventId, clock.now())
  })
  changes.notify('event', eventId)
  await removeFilesNow(ctx)
}

async function deleteRow(tx: Tx, eventId: number, now: number): Promise<void> {
  await tx.deleteFrom('events').where('id', '=', eventId).execute()
  await tx.insertInto('deleted_events').values({ event_id: eventId, deleted_at: now }).execute()
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
