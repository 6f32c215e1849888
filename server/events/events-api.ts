import { CreatedEvent, CreateEventBody, EventList, EventRecord, ListOwnEventsQuery } from '../../contract/events.ts'
import { IdempotencyHeaders } from '../../contract/idempotency.ts'
import { IdParams } from '../../contract/shapes.ts'
import { sharePath } from '../../contract/share-path.ts'
import { oncePerKey, type SentFields } from '../access/idempotent-request.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from '../settings/app-context.ts'
import { createEvent } from './create-event.ts'
import { getOwnedEvent } from './event-ownership.ts'
import { eventListItem } from './event-records.ts'
import { listEvents, loadEventRecord } from './list-events.ts'

const tags = ['events']
/** Part of the public API, which checks scopes, and of the admin API, which checks only permissions. */
export const eventsApi = (ctx: AppContext) => async (app: Http) => {
  app.post(
    '/events',
    {
      schema: {
        operationId: 'createEvent',
        tags,
        summary: 'Create an event',
        description:
          'The event is live at once, or a draft until it is published. Send a password, or `require_password: false` ' +
          'for a gallery that opens by its link alone. The settings can require more fields. ' +
          'Unknown keys are ignored and listed in `warnings`; a key that nearly spells a known one is rejected.',
        headers: IdempotencyHeaders,
        body: CreateEventBody,
        response: { 201: CreatedEvent },
      },
      config: { scope: 'write', permission: 'events.create', problems: ['INVALID_CATEGORY'] },
    },
    async (request, reply) => {
      const { body, caller } = request
      const event = await oncePerKey(ctx, request, reply, knownFields(body), {
        first: (record) => createEvent(ctx, caller, body, (tx, { id }) => record(tx, { status: 201, id })),
        again: ({ id }) => getOwnedEvent(ctx, caller, id),
      })
      const { id, slug, share_token } = event
      const share_url = (await ctx.settings.originFor(request)) + sharePath(event)
      return reply.code(201).send({ id, slug, share_url, share_token })
    },
  )

  app.get(
    '/events/:event_id',
    {
      schema: {
        operationId: 'getEvent',
        tags,
        summary: 'Get an event with its totals',
        description: 'Returns all fields of an event in any state, but never its password.',
        params: IdParams('event_id'),
        response: { 200: EventRecord },
      },
      config: { scope: 'read', permission: 'events.view' },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      return loadEventRecord(ctx, event, await ctx.settings.originFor(request))
    },
  )
}

/** The list of the public API; the admin app uses `findEvents`. */
export const eventsListApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/events',
    {
      schema: {
        operationId: 'listEvents',
        tags,
        summary: 'List your events, newest first',
        description:
          'Lists the events that you created or are a member of. A super admin gets all events. Use `page`, `offset` or `after` for pages.',
        querystring: ListOwnEventsQuery,
        response: { 200: EventList },
      },
      config: { scope: 'read', permission: 'events.view' },
    },
    async (request) => {
      const { rows, pagination } = await listEvents(ctx, request.caller, request.query)
      const origin = await ctx.settings.originFor(request)
      return {
        events: rows.map((row) => eventListItem(row, row.photo_count ?? 0, origin, ctx.clock.now())),
        pagination,
      }
    },
  )
}

/**
 * Unknown keys of the body are ignored, so they must not matter when two requests with the same Idempotency-Key are
 * compared.
 */
const knownFields = (body: CreateEventBody): SentFields =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name in CreateEventBody.properties))
