type Past = {
  id: number
  status: 'pending' | 'success' | 'failed'
  created_at: string
  replayed_from: number | null
}

/**
 * Which of the deliveries, newest first, are still to reach their receiver: those that failed and were not told again
 * with better luck since. Of a chain of replays the last is told again. In the order in which they happened.
 */
export function failedToReplay(newestFirst: readonly Past[], since = Number.NEGATIVE_INFINITY): number[] {
  const toldAgain = new Set<number>()
  const wanted: number[] = []
  for (const { id, status, created_at: createdAt, replayed_from: original } of newestFirst) {
    if (original !== null) toldAgain.add(original)
    if (status !== 'failed' || toldAgain.has(id)) continue
    if (Date.parse(createdAt) >= since) wanted.push(id)
  }
  return wanted.reverse()
}
