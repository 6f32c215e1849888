import type { Backends } from '../platform/backends.ts'
import type { House } from '../settings/house.ts'
import { getInTransaction } from './change-state.ts'
import { announceEvent } from './event-announcements.ts'
import { eventPrefix } from './event-rules.ts'

/** Events whose rows are gone and whose files are still to go. */
export type DeletedEventTable = { event_id: number; deleted_at: number }

declare module '../platform/database/tables.ts' {
  interface Tables {
    deleted_events: DeletedEventTable
  }
}

/** Any state; photos, thumbnails and feedback go with it and cannot be brought back (interface, "States"). */
export async function deleteEvent(house: House, eventId: number): Promise<void> {
  const { db, clock, settings, changes } = house
  const origin = await settings.linkOrigin()
  await db.transaction().execute(async (tx) => {
    const row = await getInTransaction(tx, eventId)
    const now = clock.now()
    await tx.deleteFrom('events').where('id', '=', eventId).execute()
    await tx.insertInto('deleted_events').values({ event_id: eventId, deleted_at: now }).execute()
    await announceEvent(tx, 'event.deleted', row, origin, now)
  })
  changes.tell('event', eventId)
  changes.tell('photo', null)
  await removeFilesOfDeletedEvents(house)
}

/** Also what a crash has left to do: run at the start. */
export async function removeFilesOfDeletedEvents({ db, storage }: Backends): Promise<void> {
  const deleted = await db.transaction().execute((tx) => tx.selectFrom('deleted_events').select('event_id').execute())
  for (const { event_id } of deleted) {
    await storage.removePrefix(eventPrefix(event_id))
    await db.deleteFrom('deleted_events').where('event_id', '=', event_id).execute()
  }
}
