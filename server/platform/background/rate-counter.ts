import type { Clock } from '../clock.ts'
import { RecentMap } from './recent-map.ts'

/** What was counted under one key in its present window, and when that ends (epoch milliseconds). */
export type Counted = { count: number; endsAt: number }

/** Counts per key in windows of a fixed length, each begun by the first that is counted. */
export type RateCounter = {
  /** Counts one more. */
  add: (key: string) => Promise<Counted>
  look: (key: string) => Promise<Counted>
}

/** In the memory of this process. Beyond `maxKeys`, those that were quiet for longest are forgotten. */
export function createRateCounter(clock: Clock, windowMs: number, maxKeys = 50_000): RateCounter {
  const windows = new RecentMap<string, Counted>(maxKeys)

  const current = (key: string): Counted => {
    const window = windows.get(key)
    const now = clock.now()
    return window && window.endsAt > now ? window : { count: 0, endsAt: now + windowMs }
  }

  return {
    async add(key) {
      const window = current(key)
      window.count++
      windows.set(key, window)
      return { ...window }
    },
    look: async (key) => ({ ...current(key) }),
  }
}
