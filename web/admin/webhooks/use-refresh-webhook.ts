import { useEffect, useRef } from 'react'
import { queries } from '../app/query-client.ts'
import { type DeliverySummary, webhookQuery } from './webhooks-query.ts'

/** Refreshes the webhook and its counts when a delivery changes. `deliveries` is undefined while loading. */
export function useRefreshWebhook(webhookId: number, deliveries: readonly DeliverySummary[] | undefined): void {
  const digest = deliveries?.map((one) => `${one.id} ${one.status} ${one.attempt_count} ${one.last_error}`).join()
  const previousDigest = useRef(digest)
  useEffect(() => {
    const hasChanged = previousDigest.current !== undefined && previousDigest.current !== digest
    previousDigest.current = digest
    if (!hasChanged) return
    void queries.invalidateQueries({ ...webhookQuery(webhookId), exact: true })
    void queries.invalidateQueries({ queryKey: ['webhooks', webhookId, 'count'] })
  }, [webhookId, digest])
}
