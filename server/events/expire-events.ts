import { Refusal } from '../platform/refusal.ts'
import type { House } from '../settings/house.ts'
import { archiveEvent } from './change-state.ts'
import { announceEvent } from './event-announcements.ts'

/**
 * Tells once of every event that has expired, at most a minute late, also with several processes; where the setting
 * says so it is archived after that (decisions §4). That guests are turned away needs no telling: they are compared
 * with `expires_at` on every request.
 */
export async function expireEvents(house: House): Promise<void> {
  const { db, clock, settings } = house
  const due = await db
    .transaction()
    .execute((tx) =>
      tx
        .selectFrom('events')
        .select('id')
        .where('expires_at', '<=', clock.now())
        .where('expired_at', 'is', null)
        .where('is_draft', '=', 0)
        .where('is_archived', '=', 0)
        .limit(500)
        .execute(),
    )
  if (due.length === 0) return
  const { general_auto_archive_on_expiry: archives } = await settings.values()
  for (const { id } of due) {
    const isOurs = await markExpired(house, id)
    if (isOurs && archives) await archiveEvent(house, id).catch(unlessRefused)
  }
}

/** False where another process was faster, or the event has been given more time or archived meanwhile. */
async function markExpired({ db, clock, settings, changes }: House, eventId: number): Promise<boolean> {
  const origin = await settings.linkOrigin()
  const isOurs = await db.transaction().execute(async (tx) => {
    const now = clock.now()
    const row = await tx
      .updateTable('events')
      .set({ expired_at: now })
      .where('id', '=', eventId)
      .where('expired_at', 'is', null)
      .where('expires_at', '<=', now)
      .where('is_draft', '=', 0)
      .where('is_archived', '=', 0)
      .returningAll()
      .executeTakeFirst()
    if (row) await announceEvent(tx, 'event.expired', row, origin, now)
    return row !== undefined
  })
  if (!isOurs) return false
  changes.tell('event', eventId)
  changes.tell('delivery', eventId)
  return true
}

/** Somebody archived or deleted it in between. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof Refusal)) throw error
}
