import { Type } from 'typebox'
import { IdempotencyHeaders } from '../../contract/idempotency.ts'
import { Created, Id, IdParams } from '../../contract/shapes.ts'
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
import { oncePerKey } from '../access/idempotent-request.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { eventTypeRecords, webhookRecord } from './webhook-records.ts'
import { getVisibleWebhook, listWebhooks } from './webhook-rows.ts'
import { changeWebhook, createWebhook, deleteWebhook, getCreatedWebhook, previewWebhook } from './webhooks.ts'

const tags = ['webhooks']
const params = IdParams('webhook_id')

/** Part of both APIs. A token finds only the webhooks that tokens of its account have made. */
export const webhooksApi = (ctx: PlatformContext) => async (app: Http) => {
  app.get(
    '/webhooks',
    {
      schema: { operationId: 'listWebhooks', tags, summary: 'List webhooks', response: { 200: WebhookList } },
      config: { scope: 'read', permission: 'settings.view' },
    },
    async ({ caller }) => (await listWebhooks(ctx, caller)).map(webhookRecord),
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
      config: { scope: 'read', permission: 'settings.view' },
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
        description:
          'A webhook that an API token makes gets only changes of events that its account owns, and ends with the token: when it is ' +
          'revoked or expires, or when the account is deactivated.',
        headers: IdempotencyHeaders,
        body: CreateWebhookBody,
        response: { 201: Created(CreatedWebhook, { title: 'CreatedWebhook' }) },
      },
      config: { scope: 'admin', permission: 'settings.edit', problems: ['WEBHOOK_LIMIT_REACHED'] },
    },
    async (request, reply) => {
      const { caller, body } = request
      const { name, url, events, active, filter, template } = body
      const { row, secret } = await oncePerKey(
        ctx,
        request,
        reply,
        { name, url, events, active, filter, template },
        {
          first: (record) => createWebhook(ctx, caller, body, (tx, id) => record(tx, { status: 201, id })),
          again: ({ id }) => getCreatedWebhook(ctx, caller, id),
        },
      )
      return reply.code(201).send({ ...webhookRecord(row), secret })
    },
  )

  app.get(
    '/webhooks/:webhook_id',
    {
      schema: { operationId: 'getWebhook', tags, summary: 'Get a webhook', params, response: { 200: WebhookRecord } },
      config: { scope: 'read', permission: 'settings.view' },
    },
    async (request) => webhookRecord(await getVisibleWebhook(ctx, request.caller, request.params.webhook_id)),
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
      config: { scope: 'admin', permission: 'settings.edit' },
    },
    async (request) => webhookRecord(await changeWebhook(ctx, request.caller, request.params.webhook_id, request.body)),
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
      config: { scope: 'admin', permission: 'settings.edit' },
    },
    async (request) => {
      await deleteWebhook(ctx, request.caller, request.params.webhook_id)
      return { id: request.params.webhook_id, deleted: true }
    },
  )
}

export const webhookPreviewApi = (ctx: PlatformContext) => async (app: Http) => {
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
}
