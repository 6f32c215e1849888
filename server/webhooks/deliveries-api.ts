import { IdParams } from '../../contract/shapes.ts'
import {
  DeliveryList,
  DeliveryRecord,
  ListDeliveriesQuery,
  QueuedReplay,
  QueuedTest,
  TestWebhookBody,
} from '../../contract/webhooks.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { getDeliveryFor, listDeliveries } from './list-deliveries.ts'
import { replayDelivery, testWebhook } from './test-and-replay.ts'
import { deliveryRecord, deliverySummary } from './webhook-records.ts'
import { getVisibleWebhook } from './webhook-rows.ts'

const tags = ['webhooks']
const webhookParams = IdParams('webhook_id')
const deliveryParams = IdParams('webhook_id', 'delivery_id')

/** Part of both APIs. */
export const webhookTestsApi = (ctx: PlatformContext) => async (app: Http) => {
  app.post(
    '/webhooks/:webhook_id/test',
    {
      schema: {
        operationId: 'testWebhook',
        tags,
        summary: 'Send a test delivery, regardless of subscriptions and filters',
        params: webhookParams,
        body: TestWebhookBody,
        response: { 202: QueuedTest },
      },
      config: { scope: 'admin', permission: 'settings.edit', problems: ['WEBHOOK_INACTIVE'] },
    },
    async (request, reply) => {
      const { id } = await getVisibleWebhook(ctx, request.caller, request.params.webhook_id)
      const { eventType, deliveryId } = await testWebhook(ctx, id, request.body?.event_type ?? null)
      return reply.code(202).send({ enqueued: true, event_type: eventType, delivery_id: deliveryId })
    },
  )
}

export const deliveriesApi = (ctx: PlatformContext) => async (app: Http) => {
  app.get(
    '/webhooks/:webhook_id/deliveries',
    {
      schema: {
        operationId: 'listDeliveries',
        tags,
        summary: 'List the deliveries of a webhook, newest first',
        params: webhookParams,
        querystring: ListDeliveriesQuery,
        response: { 200: DeliveryList },
      },
      config: { permission: 'settings.view' },
    },
    async (request) => {
      const { deliveries, pagination } = await listDeliveries(ctx, request.params.webhook_id, request.query)
      return { deliveries: deliveries.map(deliverySummary), pagination }
    },
  )

  app.get(
    '/webhooks/:webhook_id/deliveries/:delivery_id',
    {
      schema: {
        operationId: 'getDelivery',
        tags,
        summary: 'Get a delivery with its request and response',
        description: 'Without the bodies if an API token made the webhook and you do not own the event.',
        params: deliveryParams,
        response: { 200: DeliveryRecord },
      },
      config: { permission: 'settings.view' },
    },
    async ({ caller, params: { webhook_id: webhookId, delivery_id: id } }) =>
      deliveryRecord(await getDeliveryFor(ctx, caller, { webhookId, id })),
  )

  app.post(
    '/webhooks/:webhook_id/deliveries/:delivery_id/replay',
    {
      schema: {
        operationId: 'replayDelivery',
        tags,
        summary: 'Replay a delivery',
        description:
          'Sends the envelope with a new ID and `replayed_from`, to the current address, with the current template and secret. The filter is ignored.',
        params: deliveryParams,
        response: { 202: QueuedReplay },
      },
      config: { permission: 'settings.edit', problems: ['WEBHOOK_INACTIVE'] },
    },
    async (request, reply) => {
      const { webhook_id: webhookId, delivery_id: deliveryId } = request.params
      const replayId = await replayDelivery(ctx, { webhookId, deliveryId })
      return reply.code(202).send({ enqueued: true, original_id: deliveryId, replay_id: replayId })
    },
  )
}
