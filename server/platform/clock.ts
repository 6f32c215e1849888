/** `now` returns the current time in epoch milliseconds. Tests replace the clock. */
export type Clock = { now: () => number }

export const systemClock: Clock = { now: Date.now }

export const isoTime = (epochMs: number): string => new Date(epochMs).toISOString()

export const isoTimeOrNull = (epochMs: number | null): string | null => (epochMs === null ? null : isoTime(epochMs))

export const seconds = (count: number): number => count * 1000
export const minutes = (count: number): number => count * 60_000
export const hours = (count: number): number => count * 3_600_000
export const days = (count: number): number => count * 86_400_000
