type Pending = { status: 'pending' | 'success' | 'failed'; next_retry_at: string | null }

const soonMs = 1000
const calmMs = 15_000

/** Returns the delay in milliseconds until deliveries are fetched again; false where all are complete. */
export function getRefetchIntervalMs(deliveries: readonly Pending[], now: number): number | false {
  const waits = deliveries
    .filter(({ status }) => status === 'pending')
    .map(({ next_retry_at: at }) => (at === null ? 0 : Date.parse(at) - now))
  if (waits.length === 0) return false
  return Math.min(Math.max(Math.min(...waits), soonMs), calmMs)
}
