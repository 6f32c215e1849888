import {
  DuplicateEventBody,
  EventWithPassword,
  ResetEventPasswordBody,
  StoredPassword,
} from '../../contract/event-copies.ts'
import { EventMembers, EventMembersBody } from '../../contract/event-members.ts'
import { ChangeEventBody, EventDefaults, EventRecord, FindEventsQuery, FoundEvents } from '../../contract/events.ts'
import { Created, IdParams } from '../../contract/shapes.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from '../settings/app-context.ts'
import { changeEvent } from './change-event.ts'
import { closeEvent } from './change-state.ts'
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
        summary: 'Search and sort your events',
        description:
          'Lists the events that you created or are a member of. A super admin gets all events. Use `page` or `offset` for pages.',
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
        summary: 'Get the defaults and required fields of new events',
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
        summary: 'Change an event (same as PATCH)',
        params,
        body: ChangeEventBody,
        response: { 200: EventRecord },
      },
      config: { permission: 'events.edit', problems: ['EVENT_ARCHIVED', 'INVALID_STATE', 'INVALID_CATEGORY'] },
    },
    async (request) => {
      const { id } = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const changed = await changeEvent(ctx, id, request.body, { canNeverExpire: true })
      return loadEventRecord(ctx, changed, await ctx.settings.originFor(request))
    },
  )

  app.post(
    '/events/:event_id/duplicate',
    {
      schema: {
        operationId: 'duplicateEvent',
        tags,
        summary: 'Duplicate an event as a draft, without its photos',
        description:
          'The draft belongs to you and copies all fields and categories. It has a new slug, share link and password; ' +
          'if the event has expired, the draft gets the expiry date of a new event.',
        params,
        body: DuplicateEventBody,
        response: { 201: Created(EventWithPassword) },
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
        summary: 'Change the password of a gallery',
        description:
          'The gallery requires this password from now on. It gets a new share link, and all guests must enter again.',
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
        summary: 'Create a new share link for a gallery',
        description: 'The previous link becomes invalid, and all guests must enter again. The password stays the same.',
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

  app.post(
    '/events/:event_id/close',
    {
      schema: {
        operationId: 'closeEvent',
        tags,
        summary: 'Let the gallery expire now',
        description: 'A later `expires_at` opens it again. Webhooks are notified for event.expired within a minute.',
        params,
        response: { 200: EventRecord },
      },
      config: { permission: 'events.edit', problems: ['EVENT_ARCHIVED', 'INVALID_STATE'] },
    },
    async (request) => {
      const { id } = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      return loadEventRecord(ctx, await closeEvent(ctx, id), await ctx.settings.originFor(request))
    },
  )

  app.get(
    '/events/:event_id/members',
    {
      schema: {
        operationId: 'listEventMembers',
        tags,
        summary: 'Get the owner and the members of an event',
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
        summary: 'Set the members of an event',
        description: 'Only for the owner of the event and super admins. Removed members lose access immediately.',
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
