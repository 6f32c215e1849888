import { useEffect, useRef } from 'react'
import { queries } from '../desk/queries.ts'
import { type DeliverySummary, webhookQuery } from './webhooks-query.ts'

/** Refreshes the webhook and its counts when a delivery changes. `deliveries` is undefined while loading. */
export function useStateFollows(webhookId: number, deliveries: readonly DeliverySummary[] | undefined): void {
  const digest = deliveries?.map((one) => `${one.id} ${one.status} ${one.attempt_count} ${one.last_error}`).join()
  const before = useRef(digest)
  useEffect(() => {
    const isNews = before.current !== undefined && before.current !== digest
    before.current = digest
    if (!isNews) return
    void queries.invalidateQueries({ ...webhookQuery(webhookId), exact: true })
    void queries.invalidateQueries({ queryKey: ['webhooks', webhookId, 'count'] })
  }, [webhookId, digest])
}
