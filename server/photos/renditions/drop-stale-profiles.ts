import { findEvent } from '../../events/event-rows.ts'
import { inSnapshot } from '../../platform/database/transaction.ts'
import { hours } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { renditionKey } from '../photo-files.ts'
import { coverProfile, guestProfile } from './guest-profile.ts'
import { plainProfile } from './rendition-rows.ts'

/** Renditions are kept this long after `drop` first finds them stale, so that running downloads can finish. */
const retentionMs = hours(1)
const batchSize = 500

/**
 * `drop` deletes renditions that match no current profile of their event. The time when `drop` first found
 * them stale is only in memory, so a restart delays the deletion.
 */
export function createStaleProfiles(ctx: AppContext): { drop: () => Promise<void> } {
  const { db, settings, clock } = ctx
  let staleSince = new Map<string, number>()

  return {
    async drop() {
      // On SQLite, a transaction runs on the writer thread, so this query does not start the reader thread.
      const variants = await inSnapshot(db, (tx) =>
        tx
          .selectFrom('photo_renditions')
          .select(['event_id', 'variant'])
          .distinct()
          .where('variant', '!=', plainProfile.variant)
          .execute(),
      )
      const values = await settings.values()
      const previous = new Map<string, number>()
      for (const { event_id, variant } of variants) {
        const event = await findEvent(db, event_id)
        if (!event || [guestProfile, coverProfile].some((profile) => profile(event, values).variant === variant))
          continue
        const key = `${event_id} ${variant}`
        const since = staleSince.get(key) ?? clock.now()
        if (since > clock.now() - retentionMs) previous.set(key, since)
        else await dropProfile(ctx, event_id, variant)
      }
      staleSince = previous
    },
  }
}

async function dropProfile({ db, storage }: AppContext, eventId: number, variant: string): Promise<void> {
  for (;;) {
    const dropped = await db
      .deleteFrom('photo_renditions')
      .where('filename', 'in', (query) =>
        query
          .selectFrom('photo_renditions')
          .select('filename')
          .where('event_id', '=', eventId)
          .where('variant', '=', variant)
          .limit(batchSize),
      )
      .where('event_id', '=', eventId)
      .where('variant', '=', variant)
      .returning('filename')
      .execute()
    for (const { filename } of dropped) await storage.remove(renditionKey(eventId, filename))
    if (dropped.length < batchSize) return
  }
}
