import { Type } from 'typebox'
import { Id, IdParams } from '../../contract/shapes.ts'
import {
  ChangeWebhookBody,
  CreatedWebhook,
  CreateWebhookBody,
  PreviewWebhookBody,
  WebhookEventTypeList,
  WebhookList,
  WebhookPreview,
  WebhookRecord,
} from '../../contract/webhooks.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { eventTypeRecords, webhookRecord } from './webhook-records.ts'
import { getWebhook, listWebhooks } from './webhook-rows.ts'
import { changeWebhook, createWebhook, deleteWebhook, previewWebhook } from './webhooks.ts'

const tags = ['webhooks']
const params = IdParams('webhook_id')

export const webhooksApi = (ctx: PlatformContext) => async (app: Http) => {
  app.get(
    '/webhooks',
    {
      schema: { operationId: 'listWebhooks', tags, summary: 'List all webhooks', response: { 200: WebhookList } },
      config: { permission: 'settings.view' },
    },
    async () => (await listWebhooks(ctx)).map(webhookRecord),
  )

  app.get(
    '/webhooks/event-types',
    {
      schema: {
        operationId: 'listWebhookEventTypes',
        tags,
        summary: 'List the event types of webhooks',
        response: { 200: WebhookEventTypeList },
      },
      config: { permission: 'settings.view' },
    },
    async () => ({ event_types: eventTypeRecords }),
  )

  app.post(
    '/webhooks',
    {
      schema: {
        operationId: 'createWebhook',
        tags,
        summary: 'Create a webhook; its secret is only returned here',
        body: CreateWebhookBody,
        response: { 201: CreatedWebhook },
      },
      config: { permission: 'settings.edit' },
    },
    async (request, reply) => {
      const { row, secret } = await createWebhook(ctx, request.body)
      return reply.code(201).send({ ...webhookRecord(row), secret })
    },
  )

  app.post(
    '/webhooks/preview',
    {
      schema: {
        operationId: 'previewWebhook',
        tags,
        summary: 'Preview a filter and a template with sample data',
        description: 'Sends and stores nothing.',
        body: PreviewWebhookBody,
        response: { 200: WebhookPreview },
      },
      config: { permission: 'settings.view', skipAudit: true },
    },
    async (request) => previewWebhook(ctx, request.body),
  )

  app.get(
    '/webhooks/:webhook_id',
    {
      schema: { operationId: 'getWebhook', tags, summary: 'Get a webhook', params, response: { 200: WebhookRecord } },
      config: { permission: 'settings.view' },
    },
    async (request) => webhookRecord(await getWebhook(ctx.db, request.params.webhook_id)),
  )

  app.put(
    '/webhooks/:webhook_id',
    {
      schema: {
        operationId: 'changeWebhook',
        tags,
        summary: 'Change the fields of a webhook that are sent',
        description:
          'The secret cannot be changed. For a new secret, delete the webhook and create it again. Queued deliveries use the new address.',
        params,
        body: ChangeWebhookBody,
        response: { 200: WebhookRecord },
      },
      config: { permission: 'settings.edit' },
    },
    async (request) => webhookRecord(await changeWebhook(ctx, request.params.webhook_id, request.body)),
  )

  app.delete(
    '/webhooks/:webhook_id',
    {
      schema: {
        operationId: 'deleteWebhook',
        tags,
        summary: 'Delete a webhook and all its deliveries, including queued ones',
        params,
        response: { 200: Type.Object({ id: Id, deleted: Type.Boolean() }) },
      },
      config: { permission: 'settings.edit' },
    },
    async (request) => {
      await deleteWebhook(ctx, request.params.webhook_id)
      return { id: request.params.webhook_id, deleted: true }
    },
  )
}
