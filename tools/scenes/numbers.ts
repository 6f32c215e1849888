/** Holds a value between 0 and 1. */
export const clamp = (value: number) => Math.max(0, Math.min(1, value))

/** The point between two values: 0 is `from`, 1 is `to`. */
export const lerp = (from: number, to: number, share: number) => from + (to - from) * share

/** 0 up to `from`, 1 beyond `to`, and a gentle slope in between. */
export function smooth(from: number, to: number, value: number): number {
  const share = clamp((value - from) / (to - from))
  return share * share * (3 - 2 * share)
}

/** A list of `count` things (rounded down), each made by its index. */
export const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: Math.floor(count) }, (_, index) => make(index))
