import type { GuestCaller } from '../access/callers.ts'
import { addCounts, type EventCounts } from '../events/add-counts.ts'
import { createSharedRateCounter } from '../platform/background/shared-rate-counter.ts'
import { minutes } from '../platform/clock.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { Viewer } from './viewing-rules.ts'

const onceIn = minutes(30)

export type GalleryCounts = ReturnType<typeof createGalleryCounts>

/**
 * Counts views and downloads of guests. What is counted while one batch is being written
 * goes into the next; no answer to a read waits for it.
 */
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
    /** A guest has entered, by link, by password or with the first page; at most one view per guest and 30 minutes. */
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

    /** A photo or a ZIP is on its way, whole or from its first byte on. What operators fetch is not counted. */
    downloaded(viewer: Viewer): void {
      if (viewer.kind === 'guest') add(viewer.guest.eventId, 'downloads')
    },

    /** Resolves when all that was counted before is kept. */
    settled: async (): Promise<void> => {
      await Promise.all(entering)
      await writing
    },
  }
}
