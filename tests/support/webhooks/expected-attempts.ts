import { answer, type Respond } from './webhook-receiver.ts'

/**
 * Returns a responder that rejects the first attempt of one delivery in 40 with 503. It records the expected number of
 * attempts by delivery id.
 */
export function rejectSomeOnce(expectedAttempts: Map<string, number>): Respond {
  return (response, delivery) => {
    const isRejected = !expectedAttempts.has(delivery.id) && delivery.sequence % 40 === 0
    if (!expectedAttempts.has(delivery.id)) expectedAttempts.set(delivery.id, isRejected ? 2 : 1)
    answer(isRejected ? 503 : 200, isRejected ? { 'retry-after': '1' } : {})(response, delivery)
  }
}

export function countOccurrences<Key>(keys: readonly Key[]): Map<Key, number> {
  const counts = new Map<Key, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}
