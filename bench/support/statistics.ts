export type Quartiles = { q1: number; median: number; q3: number }

/** Returns the interpolated quantile for `share` (0…1); NaN for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}

export function quartiles(values: readonly number[]): Quartiles {
  return { q1: quantile(values, 0.25), median: quantile(values, 0.5), q3: quantile(values, 0.75) }
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
