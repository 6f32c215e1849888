type DeliveryRecord = {
  id: number
  status: 'pending' | 'success' | 'failed'
  created_at: string
  replayed_from: number | null
}

/**
 * Returns the ids of the failed deliveries without a later replay, oldest first. In a chain of replays only the last
 * one counts; `since` is in milliseconds.
 */
export function listFailedToReplay(newestFirst: readonly DeliveryRecord[], since = Number.NEGATIVE_INFINITY): number[] {
  const replayedIds = new Set<number>()
  const ids: number[] = []
  for (const { id, status, created_at: createdAt, replayed_from: original } of newestFirst) {
    if (original !== null) replayedIds.add(original)
    if (status !== 'failed' || replayedIds.has(id)) continue
    if (Date.parse(createdAt) >= since) ids.push(id)
  }
  return ids.reverse()
}
