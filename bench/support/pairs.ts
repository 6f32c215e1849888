import { median } from './statistics.ts'

export type Pair<T> = { limit: T; service: T }

/** Runs `limit` and `service` alternately: once unmeasured to warm up unless `count` is 1, then `count` times measured. */
export async function measurePairs<T>(
  count: number,
  limit: () => Promise<T>,
  service: () => Promise<T>,
): Promise<Pair<T>[]> {
  if (count > 1) {
    await limit()
    await service()
  }
  const pairs: Pair<T>[] = []
  while (pairs.length < count) pairs.push({ limit: await limit(), service: await service() })
  return pairs
}

export function ratios<T>(pairs: readonly Pair<T>[], value: (side: T) => number): number[] {
  return pairs.map((pair) => value(pair.service) / value(pair.limit))
}

export function medians<T>(pairs: readonly Pair<T>[], value: (side: T) => number): Pair<number> {
  return {
    limit: median(pairs.map((pair) => value(pair.limit))),
    service: median(pairs.map((pair) => value(pair.service))),
  }
}
