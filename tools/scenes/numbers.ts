export const clamp = (value: number) => Math.max(0, Math.min(1, value))

export const lerp = (from: number, to: number, share: number) => from + (to - from) * share

/** Returns 0 up to `from`, 1 from `to` on, and a smooth rise between them. */
export function smoothstep(from: number, to: number, value: number): number {
  const share = clamp((value - from) / (to - from))
  return share * share * (3 - 2 * share)
}

export const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: Math.floor(count) }, (_, index) => make(index))
