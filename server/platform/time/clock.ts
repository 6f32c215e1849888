/** `now` returns the current time in epoch milliseconds. Tests replace the clock. */
export type Clock = { now: () => number }

export const systemClock: Clock = { now: Date.now }

const dayMs = 86_400_000
const maxCachedDates = 100
const cachedDates = new Map<number, string>()
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

/** The same as `toISOString`, in a fifth of the time: lists have many times, most of them from a few days. */
export function isoTime(epochMs: number): string {
  const time = Math.trunc(epochMs)
  const day = Math.floor(time / dayMs)
  let date = cachedDates.get(day)
  if (date === undefined) {
    if (cachedDates.size >= maxCachedDates) cachedDates.clear()
    date = new Date(time).toISOString().slice(0, -'hh:mm:ss.mmmZ'.length)
    cachedDates.set(day, date)
  }
  const ms = time - day * dayMs
  const hour = twoDigits[Math.floor(ms / 3_600_000)]
  const minute = twoDigits[Math.floor(ms / 60_000) % 60]
  const second = twoDigits[Math.floor(ms / 1000) % 60]
  return `${date}${hour}:${minute}:${second}.${String(ms % 1000).padStart(3, '0')}Z`
}

export const isoTimeOrNull = (epochMs: number | null): string | null => (epochMs === null ? null : isoTime(epochMs))

export const seconds = (count: number): number => count * 1000
export const minutes = (count: number): number => count * 60_000
export const hours = (count: number): number => count * 3_600_000
export const days = (count: number): number => count * 86_400_000
