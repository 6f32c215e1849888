import {
  DuplicateEventBody,
  EventWithPassword,
  ResetEventPasswordBody,
  StoredPassword,
} from '../../contract/event-copies.ts'
import { EventMembers, EventMembersBody } from '../../contract/event-members.ts'
import { ChangeEventBody, EventDefaults, EventRecord, FindEventsQuery, FoundEvents } from '../../contract/events.ts'
import { IdParams } from '../../contract/shapes.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from '../settings/app-context.ts'
import { changeEvent } from './change-event.ts'
import { duplicateEvent } from './duplicate-event.ts'
import { listMembers, setMembers } from './event-members.ts'
import { getOwnedEvent } from './event-ownership.ts'
import { createEventDefaults } from './event-requirements.ts'
import { findEvents, foundEventRecord } from './find-events.ts'
import { readGalleryPassword } from './gallery-passwords.ts'
import { loadEventRecord } from './list-events.ts'
import { renewShareLink, resetEventPassword } from './renew-gallery-access.ts'

const tags = ['events']
const params = IdParams('event_id')

export const eventsAdminApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/events',
    {
      schema: {
        operationId: 'findEvents',
        tags,
        summary: 'Your events, searched and sorted',
        description:
          'Those that you made or are a member of; a super admin sees all. Pages go by `page` or by `offset`.',
        querystring: FindEventsQuery,
        response: { 200: FoundEvents },
      },
      config: { permission: 'events.view' },
    },
    async (request) => {
      const { rows, pagination } = await findEvents(ctx, request.caller, request.query)
      const origin = await ctx.settings.originFor(request)
      return { events: rows.map((row) => foundEventRecord(row, origin, ctx.clock.now())), pagination }
    },
  )

  app.get(
    '/event-defaults',
    {
      schema: {
        operationId: 'getEventDefaults',
        tags,
        summary: 'What new events get, and what the settings want of a create',
        response: { 200: EventDefaults },
      },
      config: { permission: 'events.create' },
    },
    async () => createEventDefaults(await ctx.settings.values()),
  )

  // Older clients send a partial PUT, which is the same operation as PATCH.
  app.put(
    '/events/:event_id',
    {
      schema: {
        operationId: 'putEvent',
        tags,
        summary: 'Change an event: the same as PATCH',
        params,
        body: ChangeEventBody,
        response: { 200: EventRecord },
      },
      config: { permission: 'events.edit', problems: ['EVENT_ARCHIVED', 'INVALID_STATE', 'INVALID_CATEGORY'] },
    },
    async (request) => {
      const { id } = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      return loadEventRecord(ctx, await changeEvent(ctx, id, request.body), await ctx.settings.originFor(request))
    },
  )

  app.post(
    '/events/:event_id/duplicate',
    {
      schema: {
        operationId: 'duplicateEvent',
        tags,
        summary: 'Make a draft like this event, without its photos',
        description:
          'Yours alone, with every field and the categories of the event. Its slug, share link and password are its own; ' +
          'one whose time is over gets that of a new event.',
        params,
        body: DuplicateEventBody,
        response: { 201: EventWithPassword },
      },
      config: { permission: ['events.view', 'events.create'] },
    },
    async (request, reply) => {
      const { caller, body } = request
      const { id } = await getOwnedEvent(ctx, caller, request.params.event_id)
      const { event, generatedPassword: password } = await duplicateEvent(ctx, caller, id, body)
      const record = await loadEventRecord(ctx, event, await ctx.settings.originFor(request))
      return reply.code(201).send({ ...record, password })
    },
  )

  app.post(
    '/events/:event_id/reset-password',
    {
      schema: {
        operationId: 'resetEventPassword',
        tags,
        summary: 'Give the gallery another password',
        description: 'It asks for it from now on. The share link is a new one, and all guests have to come in again.',
        params,
        body: ResetEventPasswordBody,
        response: { 200: EventWithPassword },
      },
      config: { permission: 'events.edit', problems: ['EVENT_ARCHIVED'] },
    },
    async (request) => {
      const { id } = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const given = request.body?.password ?? null
      const { event, generatedPassword: password } = await resetEventPassword(ctx, id, given)
      return { ...(await loadEventRecord(ctx, event, await ctx.settings.originFor(request))), password }
    },
  )

  app.post(
    '/events/:event_id/reveal-password',
    {
      schema: {
        operationId: 'revealEventPassword',
        tags,
        summary: 'Read the current password of the gallery',
        description: 'Only in a session of an owner of the event. The activity log records it.',
        params,
        response: { 200: StoredPassword },
      },
      config: { permission: 'events.edit' },
    },
    async ({ caller, params: { event_id: id } }) => ({ password: await readGalleryPassword(ctx, caller, id) }),
  )

  app.post(
    '/events/:event_id/renew-link',
    {
      schema: {
        operationId: 'renewShareLink',
        tags,
        summary: 'Give the gallery another share link',
        description: 'The one before opens nothing any more, and all guests have to come in again. The password stays.',
        params,
        response: { 200: EventRecord },
      },
      config: { permission: 'events.edit', problems: ['EVENT_ARCHIVED'] },
    },
    async (request) => {
      const { id } = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      return loadEventRecord(ctx, await renewShareLink(ctx, id), await ctx.settings.originFor(request))
    },
  )

  app.get(
    '/events/:event_id/members',
    {
      schema: {
        operationId: 'listEventMembers',
        tags,
        summary: 'Whose event it is, and who owns it too',
        params,
        response: { 200: EventMembers },
      },
      config: { permission: 'events.view' },
    },
    ({ caller, params: { event_id: id } }) => listMembers(ctx, caller, id),
  )

  app.put(
    '/events/:event_id/members',
    {
      schema: {
        operationId: 'setEventMembers',
        tags,
        summary: 'Choose who owns the event too',
        description:
          'For whose event it is, and for super admins. Who is left out has no way in from the next request on.',
        params,
        body: EventMembersBody,
        response: { 200: EventMembers },
      },
      config: { permission: 'events.edit', problems: ['EVENT_ARCHIVED'] },
    },
    async ({ caller, params: { event_id: id }, body }) => {
      await setMembers(ctx, caller, id, body.user_ids)
      return listMembers(ctx, caller, id)
    },
  )
}
