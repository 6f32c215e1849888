import type { GuestCaller } from '../access/callers.ts'
import { addCounts, type EventCounts } from '../events/add-counts.ts'
import { createSharedRateCounter } from '../platform/background/shared-rate-counter.ts'
import { minutes } from '../platform/clock.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { Viewer } from './viewing-rules.ts'

const onceIn = minutes(30)

export type GalleryCounts = ReturnType<typeof createGalleryCounts>

/** Batches the counts of views and downloads, so that no response waits for the write. */
export function createGalleryCounts(ctx: AppContext) {
  const { log } = ctx
  const entries = createSharedRateCounter(ctx, 'views', onceIn)
  const entering = new Set<Promise<void>>()
  let waiting = new Map<number, EventCounts>()
  let writing: Promise<void> | null = null

  function add(eventId: number, key: keyof EventCounts): void {
    const counts = waiting.get(eventId) ?? { views: 0, downloads: 0 }
    waiting.set(eventId, { ...counts, [key]: counts[key] + 1 })
    writing ??= write().finally(() => {
      writing = null
    })
  }

  async function write(): Promise<void> {
    while (waiting.size > 0) {
      const batch = waiting
      waiting = new Map()
      await addCounts(ctx, batch).catch((err) => log.error({ err }, 'Views and downloads could not be counted'))
    }
  }

  return {
    /** Counts at most one view per guest in 30 minutes. */
    entered({ eventId, guestId }: GuestCaller): void {
      const counting = entries
        .add(guestId)
        .then(({ count }) => {
          if (count === 1) add(eventId, 'views')
        })
        .catch((err) => log.error({ err }, 'A view could not be counted'))
        .finally(() => entering.delete(counting))
      entering.add(counting)
    },

    /** Downloads of operators are not counted. */
    downloaded(viewer: Viewer): void {
      if (viewer.kind === 'guest') add(viewer.guest.eventId, 'downloads')
    },

    /** Resolves when all earlier counts are written. */
    settled: async (): Promise<void> => {
      await Promise.all(entering)
      await writing
    },
  }
}
