import type { FastifyRequest } from 'fastify'
import { CreatedEvent, CreateEventBody, EventList, EventRecord, ListEventsQuery } from '../../contract/events.ts'
import { IdParams } from '../../contract/shapes.ts'
import type { Http } from '../platform/http/create-http.ts'
import { originOf, sharePath } from '../platform/links.ts'
import type { House } from '../settings/house.ts'
import { createEvent } from './create-event.ts'
import { getOwnedEvent } from './event-ownership.ts'
import { eventListItem } from './event-records.ts'
import { fullRecord, listEvents } from './list-events.ts'

/**
 * Create, list and read. The public and the admin API have these routes in common: scopes are for API tokens, the
 * admin guard looks at the permission alone.
 */
export const eventsApi = (house: House) => async (app: Http) => {
  const { clock, config } = house
  const originFor = (request: FastifyRequest) => config.publicUrl ?? originOf(request)

  app.post(
    '/events',
    {
      schema: {
        operationId: 'createEvent',
        tags: ['events'],
        summary: 'Create an event',
        body: CreateEventBody,
        response: { 201: CreatedEvent },
      },
      config: { scope: 'write', permission: 'events.create' },
    },
    async (request, reply) => {
      const event = await createEvent(house, request.caller, request.body)
      const { id, slug, share_token } = event
      const share_url = originFor(request) + sharePath(event)
      return reply.code(201).send({ id, slug, share_url, share_token })
    },
  )

  app.get(
    '/events',
    {
      schema: {
        operationId: 'listEvents',
        tags: ['events'],
        summary: 'Your events, newest first',
        querystring: ListEventsQuery,
        response: { 200: EventList },
      },
      config: { scope: 'read', permission: 'events.view' },
    },
    async (request) => {
      const { rows, pagination } = await listEvents(house, request.caller, request.query)
      const origin = originFor(request)
      return { events: rows.map((row) => eventListItem(row, row.photo_count ?? 0, origin, clock.now())), pagination }
    },
  )

  app.get(
    '/events/:event_id',
    {
      schema: {
        operationId: 'getEvent',
        tags: ['events'],
        summary: 'One event with its totals',
        params: IdParams('event_id'),
        response: { 200: EventRecord },
      },
      config: { scope: 'read', permission: 'events.view' },
    },
    async (request) => {
      const event = await getOwnedEvent(house, request.caller, request.params.event_id)
      return fullRecord(house, event, originFor(request))
    },
  )
}
