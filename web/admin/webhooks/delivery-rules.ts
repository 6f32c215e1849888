type Delivery = {
  id: number
  status: 'pending' | 'success' | 'failed'
  created_at: string
  next_retry_at: string | null
  replayed_from: number | null
}

const minIntervalMs = 1000
const maxIntervalMs = 15_000

/** Returns the delay in milliseconds until deliveries are fetched again; false if none is pending. */
export function getRefetchIntervalMs(
  deliveries: readonly Pick<Delivery, 'status' | 'next_retry_at'>[],
  now: number,
): number | false {
  const delaysMs = deliveries
    .filter(({ status }) => status === 'pending')
    .map(({ next_retry_at: at }) => (at === null ? 0 : Date.parse(at) - now))
  if (delaysMs.length === 0) return false
  return Math.min(Math.max(Math.min(...delaysMs), minIntervalMs), maxIntervalMs)
}

/**
 * Returns the ids of the failed deliveries without a later replay, oldest first. In a chain of replays only the last
 * one counts. Omits deliveries that were created before `since` (epoch milliseconds).
 */
export function listFailedToReplay(
  newestFirst: readonly Omit<Delivery, 'next_retry_at'>[],
  since = Number.NEGATIVE_INFINITY,
): number[] {
  const replayedIds = new Set<number>()
  const ids: number[] = []
  for (const { id, status, created_at: createdAt, replayed_from: original } of newestFirst) {
    if (original !== null) replayedIds.add(original)
    if (status !== 'failed' || replayedIds.has(id)) continue
    if (Date.parse(createdAt) >= since) ids.push(id)
  }
  return ids.reverse()
}
