import { type DeliverySummary, readDeliveries } from './webhooks-query.ts'

const pageSize = 100

/**
 * The deliveries of a webhook, newest first, back to the oldest that failed: those between tell what was told again
 * since. Pages move on while new ones come; what is read twice counts once.
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
