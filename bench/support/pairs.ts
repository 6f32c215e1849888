import { median } from './statistics.ts'

/** One measured value of the limit and one of the service, taken right after each other. */
export type Pair<T> = { limit: T; service: T }

/** Runs limit and service in turn, once unmeasured to warm up and then `count` times measured. */
export async function measurePairs<T>(
  count: number,
  limit: () => Promise<T>,
  service: () => Promise<T>,
): Promise<Pair<T>[]> {
  await limit()
  await service()
  const pairs: Pair<T>[] = []
  while (pairs.length < count) pairs.push({ limit: await limit(), service: await service() })
  return pairs
}

/** Service divided by limit, pair by pair. */
export function ratios<T>(pairs: readonly Pair<T>[], value: (side: T) => number): number[] {
  return pairs.map((pair) => value(pair.service) / value(pair.limit))
}

/** The middle value of each side. */
export function medians<T>(pairs: readonly Pair<T>[], value: (side: T) => number): Pair<number> {
  return {
    limit: median(pairs.map((pair) => value(pair.limit))),
    service: median(pairs.map((pair) => value(pair.service))),
  }
}
