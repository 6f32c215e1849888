import type { GuestCaller } from '../access/callers.ts'
import { addCounts, type EventCounts } from '../events/add-counts.ts'
import type { Viewer } from '../gallery-access/viewing-rules.ts'
import { RecentMap } from '../platform/background/recent-map.ts'
import { createSharedRateCounter } from '../platform/background/shared-rate-counter.ts'
import { minutes } from '../platform/time/clock.ts'
import type { AppContext } from '../settings/app-context.ts'

const viewIntervalMs = minutes(30)

export type GalleryCounts = ReturnType<typeof createGalleryCounts>

/** Batches the counts of views and downloads, so that no response waits for the write. */
export function createGalleryCounts(ctx: AppContext) {
  const { log } = ctx
  const entries = createSharedRateCounter(ctx, 'views', viewIntervalMs)
  const countedUntil = new RecentMap<string, number>(10_000)
  const pendingEntries = new Set<Promise<void>>()
  let pendingCounts = new Map<number, EventCounts>()
  let currentWrite: Promise<void> | null = null

  function add(eventId: number, key: keyof EventCounts): void {
    const counts = pendingCounts.get(eventId) ?? { views: 0, downloads: 0 }
    pendingCounts.set(eventId, { ...counts, [key]: counts[key] + 1 })
    currentWrite ??= write().finally(() => {
      currentWrite = null
    })
  }

  async function write(): Promise<void> {
    while (pendingCounts.size > 0) {
      const batch = pendingCounts
      pendingCounts = new Map()
      await addCounts(ctx, batch).catch((err) => log.error({ err }, 'Could not count views and downloads'))
    }
  }

  return {
    /** Counts at most one view per guest in 30 minutes, and no previews. */
    countEntry({ eventId, guestId, isPreview }: GuestCaller): void {
      if (isPreview || (countedUntil.get(guestId) ?? 0) > ctx.clock.now()) return
      const counting = entries
        .add(guestId)
        .then(({ count, endsAt }) => {
          countedUntil.set(guestId, endsAt)
          if (count === 1) add(eventId, 'views')
        })
        .catch((err) => log.error({ err }, 'Could not count a view'))
        .finally(() => pendingEntries.delete(counting))
      pendingEntries.add(counting)
    },

    /** Downloads of operators and previews are not counted. */
    countDownload(viewer: Viewer): void {
      if (viewer.kind === 'guest' && !viewer.guest.isPreview) add(viewer.guest.eventId, 'downloads')
    },

    /** Resolves when all earlier counts are written. */
    flush: async (): Promise<void> => {
      await Promise.all(pendingEntries)
      await currentWrite
    },
  }
}
