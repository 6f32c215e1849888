import { inSnapshot, inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { AppContext } from '../settings/app-context.ts'
import { announceEvent } from './event-announcements.ts'
import { eventPrefix, eventsPrefix } from './event-rules.ts'
import { getEventInTransaction } from './get-changeable-event.ts'

/** Deleted events whose files are not deleted yet. */
export type DeletedEventTable = { event_id: number; deleted_at: number }

declare module '../platform/database/tables.ts' {
  interface Tables {
    deleted_events: DeletedEventTable
  }
}

/** Deletes an event in any state with its photos, thumbnails and feedback. */
export async function deleteEvent(ctx: AppContext, eventId: number): Promise<void> {
  const { db, clock, settings, changes, log } = ctx
  const origin = await settings.linkOrigin()
  await inTransaction(db, 'everything', async (tx) => {
    const row = await getEventInTransaction(tx, eventId)
    const now = clock.now()
    await tx.deleteFrom('events').where('id', '=', eventId).execute()
    await tx.insertInto('deleted_events').values({ event_id: eventId, deleted_at: now }).execute()
    await announceEvent(tx, 'event.deleted', row, origin, now)
  })
  changes.notify('event', eventId)
  changes.notify('photo', null)
  changes.notify('delivery', eventId)
  // The event is already deleted; the next run removes remaining files.
  await removeFilesOfDeletedEvents(ctx).catch((err) => log.error({ err }, 'Files of deleted events are left'))
}

/** Also runs at startup, for files that a crash has left. A failure does not stop the other removals. */
export async function removeFilesOfDeletedEvents({ db, storage, log }: PlatformContext): Promise<void> {
  const deleted = await inSnapshot(db, (tx) => tx.selectFrom('deleted_events').select('event_id').execute())
  for (const { event_id } of deleted) {
    try {
      await storage.removePrefix(eventPrefix(event_id))
      await db.deleteFrom('deleted_events').where('event_id', '=', event_id).execute()
    } catch (err) {
      log.error({ err, event_id }, 'The files of a deleted event could not be removed')
    }
  }
}

/** An upload that finishes after the deletion can leave an empty folder. */
export async function removeFoldersOfDeletedEvents({ db, storage, log }: PlatformContext): Promise<void> {
  const names = await storage.listFolders(eventsPrefix)
  // Read after the folders, so that a new event is not missed; in a transaction, so that background work does not wake
  // the reader thread of an idle service.
  const events = await inSnapshot(db, (tx) => tx.selectFrom('events').select('id').execute())
  const existing = new Set(events.map(({ id }) => String(id)))
  const orphaned = names.filter((name) => /^[1-9]\d*$/.test(name) && !existing.has(name))
  for (const name of orphaned) {
    const removing = storage.removeEmptyFolders(eventPrefix(Number(name)))
    await removing.catch((err) => log.error({ err, event_id: name }, 'Empty folders could not be removed'))
  }
}
