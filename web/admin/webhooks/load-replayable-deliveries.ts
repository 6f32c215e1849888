import { type DeliverySummary, loadDeliveries } from './webhooks-query.ts'

const pageSize = 100

/**
 * Returns the deliveries of a webhook back to the oldest failure, newest first: later ones may be replays. Pages shift
 * when new deliveries arrive, so duplicates count once. Throws ApiError and Unreachable.
 */
export async function loadReplayableDeliveries(webhookId: number, signal: AbortSignal): Promise<DeliverySummary[]> {
  const { pagination } = await loadDeliveries(webhookId, { status: 'failed', limit: 1 }, signal)
  const failureCount = pagination.total
  const deliveriesById = new Map<number, DeliverySummary>()
  let foundFailures = 0
  for (let page = 1; foundFailures < failureCount; page++) {
    const { deliveries } = await loadDeliveries(webhookId, { page, limit: pageSize }, signal)
    if (deliveries.length === 0) break
    for (const delivery of deliveries) {
      if (delivery.status === 'failed' && !deliveriesById.has(delivery.id)) foundFailures++
      deliveriesById.set(delivery.id, delivery)
    }
  }
  return [...deliveriesById.values()].sort((one, other) => other.id - one.id)
}
