import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { queries } from '../app/query-client.ts'
import { getRefetchIntervalMs } from './refetch-interval.ts'

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

/** Constant for a version of the service. */
export const eventTypesQuery = queryOptions({
  queryKey: ['webhook-event-types'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/api/admin/webhooks/event-types', { signal }))).event_types,
  staleTime: Number.POSITIVE_INFINITY,
})

export type DeliveryQuery = { status?: DeliveryStatus; page?: number; limit?: number }

const fetchDeliveries = (id: number, query: DeliveryQuery, signal?: AbortSignal) =>
  unwrap(
    api.GET('/api/admin/webhooks/{webhook_id}/deliveries', {
      params: { path: { webhook_id: id }, query },
      ...(signal && { signal }),
    }),
  )

/** One page of deliveries, fetched again while one of them is pending. */
export const deliveriesQuery = (id: number, filters: DeliveryQuery) =>
  queryOptions({
    queryKey: ['webhooks', id, 'deliveries', filters],
    queryFn: ({ signal }) => fetchDeliveries(id, filters, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => getRefetchIntervalMs(state.data?.deliveries ?? [], Date.now()),
  })

/** Reads without the cache. */
export const loadDeliveries = fetchDeliveries

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

/** Fetches all data of webhooks again after a write. */
export const invalidateWebhooks = () => queries.invalidateQueries({ queryKey: ['webhooks'] })
