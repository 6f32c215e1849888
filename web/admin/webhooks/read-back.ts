import { type DeliverySummary, readDeliveries } from './webhooks-query.ts'

const pageSize = 100

/**
 * Returns the deliveries of a webhook back to the oldest failure, newest first: later ones may be replays. Pages shift
 * when new deliveries arrive, so duplicates count once. Throws ApiError and Unreachable.
 */
export async function readBackTo(webhookId: number, signal: AbortSignal): Promise<DeliverySummary[]> {
  const { pagination } = await readDeliveries(webhookId, { status: 'failed', limit: 1 }, signal)
  const failures = pagination.total
  const found = new Map<number, DeliverySummary>()
  let failed = 0
  for (let page = 1; failed < failures; page++) {
    const { deliveries } = await readDeliveries(webhookId, { page, limit: pageSize }, signal)
    if (deliveries.length === 0) break
    for (const delivery of deliveries) {
      if (delivery.status === 'failed' && !found.has(delivery.id)) failed++
      found.set(delivery.id, delivery)
    }
  }
  return [...found.values()].sort((one, other) => other.id - one.id)
}
