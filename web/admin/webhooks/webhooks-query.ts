import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, must, type Wire } from '../api/api.ts'
import { queries } from '../desk/queries.ts'
import { getRefetchIntervalMs } from './look-again.ts'

export type Webhook = Wire['Webhook']
export type Delivery = Wire['Delivery']
export type DeliverySummary = Wire['DeliverySummary']
export type DeliveryStatus = DeliverySummary['status']
export type WebhookEventType = Wire['WebhookEventType']

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => must(api.GET('/api/admin/webhooks', { signal })),
})

export const webhookQuery = (id: number) =>
  queryOptions({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) =>
      must(api.GET('/api/admin/webhooks/{webhook_id}', { params: { path: { webhook_id: id } }, signal })),
  })

/** Constant for a version of the service. */
export const eventTypesQuery = queryOptions({
  queryKey: ['webhook-event-types'],
  queryFn: async ({ signal }) => (await must(api.GET('/api/admin/webhooks/event-types', { signal }))).event_types,
  staleTime: Number.POSITIVE_INFINITY,
})

export type DeliveriesAsked = { status?: DeliveryStatus; page?: number; limit?: number }

const askDeliveries = (id: number, query: DeliveriesAsked, signal?: AbortSignal) =>
  must(
    api.GET('/api/admin/webhooks/{webhook_id}/deliveries', {
      params: { path: { webhook_id: id }, query },
      ...(signal && { signal }),
    }),
  )

/** One page of deliveries, fetched again while one of them is pending. */
export const deliveriesQuery = (id: number, asked: DeliveriesAsked) =>
  queryOptions({
    queryKey: ['webhooks', id, 'deliveries', asked],
    queryFn: ({ signal }) => askDeliveries(id, asked, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => getRefetchIntervalMs(state.data?.deliveries ?? [], Date.now()),
  })

/** Reads without the cache. */
export const readDeliveries = askDeliveries

export const deliveryCountQuery = (id: number, status: DeliveryStatus) =>
  queryOptions({
    queryKey: ['webhooks', id, 'count', status],
    queryFn: async ({ signal }) => (await askDeliveries(id, { status, limit: 1 }, signal)).pagination.total,
  })

export const deliveryQuery = (id: number, deliveryId: number) =>
  queryOptions({
    queryKey: ['webhooks', id, 'delivery', deliveryId],
    queryFn: ({ signal }) =>
      must(
        api.GET('/api/admin/webhooks/{webhook_id}/deliveries/{delivery_id}', {
          params: { path: { webhook_id: id, delivery_id: deliveryId } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => getRefetchIntervalMs(state.data ? [state.data] : [], Date.now()),
  })

export const replayDelivery = (id: number, deliveryId: number) =>
  must(
    api.POST('/api/admin/webhooks/{webhook_id}/deliveries/{delivery_id}/replay', {
      params: { path: { webhook_id: id, delivery_id: deliveryId } },
    }),
  )

/** Fetches all data of webhooks again after a write. */
export const webhooksChanged = () => queries.invalidateQueries({ queryKey: ['webhooks'] })
