import type { Clock } from '../clock.ts'
import { RecentMap } from './recent-map.ts'

/** The count of one key in its current window, which ends at `endsAt` (epoch milliseconds). */
export type RateCount = { count: number; endsAt: number }

/** Counts per key in windows of a fixed length. A window starts with its first count. */
export type RateCounter = {
  add: (key: string) => Promise<RateCount>
  readCount: (key: string) => Promise<RateCount>
}

/** Counts in memory. When there are more than `maxKeys` keys, the least recently counted are dropped. */
export function createRateCounter(clock: Clock, windowMs: number, maxKeys = 50_000): RateCounter {
  const windows = new RecentMap<string, RateCount>(maxKeys)

  const current = (key: string): RateCount => {
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
    readCount: async (key) => ({ ...current(key) }),
  }
}
