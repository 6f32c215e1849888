import { findEvent } from '../events/event-rows.ts'
import { hours } from '../platform/clock.ts'
import { inSnapshot } from '../platform/database/transaction.ts'
import type { AppContext } from '../settings/app-context.ts'
import { coverLook, guestLook } from './guest-look.ts'
import { renditionKey } from './photo-files.ts'
import { plainLook } from './rendition-rows.ts'

/** So long a picture is kept after guests no longer get it, so that running downloads end whole. */
const keptMs = hours(1)
const batchSize = 500

/**
 * Drops the pictures of looks that guests no longer get, after another text, cap or setting. It looks at what is, not at
 * what was told; when a look became a former one it knows from the run that first saw it so, and begins anew after a
 * restart: then they are only kept longer.
 */
export function createFormerLooks(ctx: AppContext): { drop: () => Promise<void> } {
  const { db, settings, clock } = ctx
  let seen = new Map<string, number>()

  return {
    async drop() {
      // In a transaction, so that a quiet service need not wake its reader for it.
      const looks = await inSnapshot(db, (tx) =>
        tx
          .selectFrom('photo_renditions')
          .select(['event_id', 'variant'])
          .distinct()
          .where('variant', '!=', plainLook.variant)
          .execute(),
      )
      const values = await settings.values()
      const former = new Map<string, number>()
      for (const { event_id, variant } of looks) {
        const event = await findEvent(db, event_id)
        if (!event || [guestLook, coverLook].some((look) => look(event, values).variant === variant)) continue
        const key = `${event_id} ${variant}`
        const since = seen.get(key) ?? clock.now()
        if (since > clock.now() - keptMs) former.set(key, since)
        else await dropLook(ctx, event_id, variant)
      }
      seen = former
    },
  }
}

async function dropLook({ db, storage }: AppContext, eventId: number, variant: string): Promise<void> {
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
