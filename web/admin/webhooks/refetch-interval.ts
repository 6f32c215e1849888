type PendingDelivery = { status: 'pending' | 'success' | 'failed'; next_retry_at: string | null }

const minIntervalMs = 1000
const maxIntervalMs = 15_000

/** Returns the delay in milliseconds until deliveries are fetched again; false where all are complete. */
export function getRefetchIntervalMs(deliveries: readonly PendingDelivery[], now: number): number | false {
  const delaysMs = deliveries
    .filter(({ status }) => status === 'pending')
    .map(({ next_retry_at: at }) => (at === null ? 0 : Date.parse(at) - now))
  if (delaysMs.length === 0) return false
  return Math.min(Math.max(Math.min(...delaysMs), minIntervalMs), maxIntervalMs)
}
