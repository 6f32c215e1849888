import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { queries } from '../app/query-client.ts'
import { getRefetchIntervalMs } from './delivery-rules.ts'

export type Webhook = Schemas['Webhook']
export type Delivery = Schemas['Delivery']
export type DeliverySummary = Schemas['DeliverySummary']
export type DeliveryStatus = DeliverySummary['status']
export type WebhookEventType = Schemas['WebhookEventType']

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/admin/webhooks', { signal })),
})

export const webhookQuery = (id: number) =>
  queryOptions({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/admin/webhooks/{webhook_id}', { params: { path: { webhook_id: id } }, signal })),
  })

/** Never stale, because the types change only with an update of the service. */
export const eventTypesQuery = queryOptions({
  queryKey: ['webhook-event-types'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/api/admin/webhooks/event-types', { signal }))).event_types,
  staleTime: Number.POSITIVE_INFINITY,
})

type DeliveryQuery = { status?: DeliveryStatus; page?: number; limit?: number }

export const fetchDeliveries = (id: number, query: DeliveryQuery, signal?: AbortSignal) =>
  unwrap(
    api.GET('/api/admin/webhooks/{webhook_id}/deliveries', {
      params: { path: { webhook_id: id }, query },
      ...(signal && { signal }),
    }),
  )

export const deliveriesQuery = (id: number, filters: DeliveryQuery) =>
  queryOptions({
    queryKey: ['webhooks', id, 'deliveries', filters],
    queryFn: ({ signal }) => fetchDeliveries(id, filters, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => getRefetchIntervalMs(state.data?.deliveries ?? [], Date.now()),
  })

export const deliveryCountQuery = (id: number, status: DeliveryStatus) =>
  queryOptions({
    queryKey: ['webhooks', id, 'count', status],
    queryFn: async ({ signal }) => (await fetchDeliveries(id, { status, limit: 1 }, signal)).pagination.total,
  })

export const deliveryQuery = (id: number, deliveryId: number) =>
  queryOptions({
    queryKey: ['webhooks', id, 'delivery', deliveryId],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/admin/webhooks/{webhook_id}/deliveries/{delivery_id}', {
          params: { path: { webhook_id: id, delivery_id: deliveryId } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => getRefetchIntervalMs(state.data ? [state.data] : [], Date.now()),
  })

export const replayDelivery = (id: number, deliveryId: number) =>
  unwrap(
    api.POST('/api/admin/webhooks/{webhook_id}/deliveries/{delivery_id}/replay', {
      params: { path: { webhook_id: id, delivery_id: deliveryId } },
    }),
  )

export const invalidateWebhooks = () => queries.invalidateQueries({ queryKey: ['webhooks'] })

/** Refreshes the webhook and its counts when `deliveries` change. While they load, `deliveries` is undefined. */
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
