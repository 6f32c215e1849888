export type TimeLeft = { days: number; hours: number; minutes: number; seconds: number }

/** The result is never negative. It is rounded up to whole seconds, so that 0 means the end. */
export function getTimeLeft(ms: number): TimeLeft {
  const all = Math.max(0, Math.ceil(ms / 1000))
  return {
    days: Math.floor(all / 86_400),
    hours: Math.floor(all / 3_600) % 24,
    minutes: Math.floor(all / 60) % 60,
    seconds: all % 60,
  }
}
