import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Permission } from '../../contract/access.ts'
import { ChangeEventBody, EventLink, EventRecord } from '../../contract/events.ts'
import { Id, IdParams } from '../../contract/shapes.ts'
import type { Http } from '../platform/http/create-http.ts'
import { originOf, sharePath } from '../platform/links.ts'
import type { House } from '../settings/house.ts'
import { changeEvent } from './change-event.ts'
import { archiveEvent, publishEvent, restoreEvent } from './change-state.ts'
import { deleteEvent } from './delete-event.ts'
import { getOwnedEvent } from './event-ownership.ts'
import type { EventRow } from './event-rows.ts'
import { fullRecord } from './list-events.ts'

/** Change, publish, archive, restore, delete; like `eventsApi`, of the public and the admin API alike. */
export const eventLifecycleApi = (house: House) => async (app: Http) => {
  const originFor = (request: FastifyRequest) => house.config.publicUrl ?? originOf(request)
  const params = IdParams('event_id')

  app.patch(
    '/events/:event_id',
    {
      schema: {
        operationId: 'changeEvent',
        tags: ['events'],
        summary: 'Change an event; a new password makes a new share link',
        params,
        body: ChangeEventBody,
        response: { 200: EventRecord },
      },
      config: { scope: 'write', permission: 'events.edit' },
    },
    async (request) => {
      const { id } = await getOwnedEvent(house, request.caller, request.params.event_id)
      return fullRecord(house, await changeEvent(house, id, request.body), originFor(request))
    },
  )

  const transitions: Array<[string, string, Permission, (house: House, eventId: number) => Promise<EventRow>]> = [
    ['publish', 'Make a draft live', 'events.edit', publishEvent],
    ['archive', 'Archive an event: guests no longer find it', 'events.archive', archiveEvent],
    ['restore', 'Bring an archived event back', 'events.archive', restoreEvent],
  ]
  for (const [verb, summary, permission, change] of transitions) {
    app.post(
      `/events/:event_id/${verb}`,
      {
        schema: { operationId: `${verb}Event`, tags: ['events'], summary, params, response: { 200: EventRecord } },
        config: { scope: 'write', permission },
      },
      async (request) => {
        const { id } = await getOwnedEvent(house, request.caller, request.params.event_id)
        return fullRecord(house, await change(house, id), originFor(request))
      },
    )
  }

  app.delete(
    '/events/:event_id',
    {
      schema: {
        operationId: 'deleteEvent',
        tags: ['events'],
        summary: 'Delete an event with its photos, for good',
        params,
        response: { 200: Type.Object({ id: Id, deleted: Type.Boolean() }) },
      },
      config: { scope: 'admin', permission: 'events.delete' },
    },
    async (request) => {
      const { id } = await getOwnedEvent(house, request.caller, request.params.event_id)
      await deleteEvent(house, id)
      return { id, deleted: true }
    },
  )

  app.get(
    '/events/:event_id/share-link',
    {
      schema: {
        operationId: 'getShareLink',
        tags: ['events'],
        summary: 'The link to hand to guests',
        params,
        response: { 200: EventLink },
      },
      config: { scope: 'read', permission: 'events.view' },
    },
    async (request) => {
      const event = await getOwnedEvent(house, request.caller, request.params.event_id)
      const { slug, share_token } = event
      return { slug, share_token, share_url: originFor(request) + sharePath(event) }
    },
  )
}
