import { Type } from 'typebox'
import { ChangeEventTypeBody, CreateEventTypeBody, EventTypeRecord } from '../../../contract/events.ts'
import { Created } from '../../../contract/shapes.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { changeEventType, createEventType, deleteEventType, eventTypeRecord, listEventTypes } from './event-types.ts'

const tags = ['events']
const EventTypes = Type.Object(
  { eventTypes: Type.Array(EventTypeRecord) },
  { title: 'EventTypeList', description: 'All event types' },
)
const TypeParams = Type.Object({ slug_prefix: Type.String({ maxLength: 30 }) })

export const eventTypesPublicApi = (ctx: PlatformContext) => async (app: Http) => {
  app.get(
    '/event-types',
    {
      schema: {
        operationId: 'listEventTypes',
        tags,
        summary: 'List event types with their recommended themes',
        description: 'Includes the built-in types and the types that were added.',
        response: { 200: EventTypes },
      },
      config: { scope: 'read', permission: 'events.view' },
    },
    async () => ({ eventTypes: (await listEventTypes(ctx)).map(eventTypeRecord) }),
  )
}

export const eventTypesAdminApi = (ctx: PlatformContext) => async (app: Http) => {
  app.get(
    '/event-types',
    {
      schema: { operationId: 'listEventTypes', tags, summary: 'List event types', response: { 200: EventTypes } },
      config: { permission: 'events.view' },
    },
    async () => ({ eventTypes: (await listEventTypes(ctx)).map(eventTypeRecord) }),
  )

  app.post(
    '/event-types',
    {
      schema: {
        operationId: 'createEventType',
        tags,
        summary: 'Add an event type',
        body: CreateEventTypeBody,
        response: { 201: Created(EventTypeRecord) },
      },
      config: { permission: 'settings.edit', problems: ['EVENT_TYPE_IN_USE'] },
    },
    async (request, reply) => reply.code(201).send(eventTypeRecord(await createEventType(ctx, request.body))),
  )

  app.put(
    '/event-types/:slug_prefix',
    {
      schema: {
        operationId: 'changeEventType',
        tags,
        summary: 'Change an event type',
        params: TypeParams,
        body: ChangeEventTypeBody,
        response: { 200: EventTypeRecord },
      },
      config: { permission: 'settings.edit' },
    },
    async (request) => eventTypeRecord(await changeEventType(ctx, request.params.slug_prefix, request.body)),
  )

  app.delete(
    '/event-types/:slug_prefix',
    {
      schema: {
        operationId: 'deleteEventType',
        tags,
        summary: 'Delete an unused event type',
        params: TypeParams,
        response: { 200: Type.Object({ slug_prefix: Type.String(), deleted: Type.Boolean() }) },
      },
      config: { permission: 'settings.edit', problems: ['EVENT_TYPE_IN_USE'] },
    },
    async (request) => {
      await deleteEventType(ctx, request.params.slug_prefix)
      return { slug_prefix: request.params.slug_prefix, deleted: true }
    },
  )
}
