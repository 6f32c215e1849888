import { Type } from 'typebox'
import type { Permission } from '../../contract/access.ts'
import { ChangeEventBody, EventLink, EventRecord } from '../../contract/events.ts'
import type { ProblemCode } from '../../contract/problems.ts'
import { Id, IdParams } from '../../contract/shapes.ts'
import { sharePath } from '../../contract/share-path.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from '../settings/app-context.ts'
import { changeEvent } from './change-event.ts'
import { archiveEvent, publishEvent, restoreEvent } from './change-state.ts'
import { deleteEvent } from './delete-event.ts'
import { getOwnedEvent } from './event-ownership.ts'
import type { EventRow } from './event-rows.ts'
import { loadEventRecord } from './list-events.ts'

const tags = ['events']
const DeletedEvent = Type.Object(
  { id: Id, deleted: Type.Boolean() },
  { title: 'DeletedEvent', description: 'The event has been deleted' },
)

type Transition = {
  verb: string
  schema: { summary: string; description: string }
  config: { permission: Permission; problems: ProblemCode[] }
  change: (ctx: AppContext, eventId: number) => Promise<EventRow>
}

const transitions: Transition[] = [
  {
    verb: 'publish',
    schema: {
      summary: 'Publish a draft',
      description: 'Opens the gallery, sends an email to the customer, and notifies webhooks for event.published.',
    },
    config: { permission: 'events.edit', problems: ['ALREADY_PUBLISHED', 'EVENT_ARCHIVED'] },
    change: publishEvent,
  },
  {
    verb: 'archive',
    schema: {
      summary: 'Archive an event and close its gallery',
      description: 'Photos and feedback are kept. The event cannot be changed or downloaded until it is restored.',
    },
    config: { permission: 'events.archive', problems: ['INVALID_STATE', 'EVENT_ARCHIVED'] },
    change: archiveEvent,
  },
  {
    verb: 'restore',
    schema: {
      summary: 'Restore an archived event',
      description: 'The event is live again. If it has expired, it gets the expiry date of a new event.',
    },
    config: { permission: 'events.archive', problems: ['INVALID_STATE'] },
    change: restoreEvent,
  },
]

/** Part of the public and the admin API, like `eventsApi`. */
export const eventLifecycleApi = (ctx: AppContext) => async (app: Http) => {
  const params = IdParams('event_id')

  app.patch(
    '/events/:event_id',
    {
      schema: {
        operationId: 'changeEvent',
        tags,
        summary: 'Change an event',
        description:
          'Changes only the fields that are sent; unknown keys are rejected. A new password, or another value of `require_password`, creates a ' +
          'new share link and ends the sessions of all guests. A later `expires_at` reopens an expired gallery.',
        params,
        body: ChangeEventBody,
        response: { 200: EventRecord },
      },
      config: {
        scope: 'write',
        permission: 'events.edit',
        problems: ['EVENT_ARCHIVED', 'INVALID_STATE', 'INVALID_CATEGORY'],
      },
    },
    async (request) => {
      const { caller, body, params } = request
      const { id } = await getOwnedEvent(ctx, caller, params.event_id)
      const changed = await changeEvent(ctx, id, body, { canNeverExpire: caller.scope === null })
      return loadEventRecord(ctx, changed, await ctx.settings.originFor(request))
    },
  )

  for (const { verb, schema, config, change } of transitions) {
    app.post(
      `/events/:event_id/${verb}`,
      {
        schema: { operationId: `${verb}Event`, tags, ...schema, params, response: { 200: EventRecord } },
        config: { scope: 'write', ...config },
      },
      async (request) => {
        const { id } = await getOwnedEvent(ctx, request.caller, request.params.event_id)
        return loadEventRecord(ctx, await change(ctx, id), await ctx.settings.originFor(request))
      },
    )
  }

  app.delete(
    '/events/:event_id',
    {
      schema: {
        operationId: 'deleteEvent',
        tags,
        summary: 'Permanently delete an event with its photos',
        description: 'Works in any state. Photos, thumbnails and feedback are deleted too and cannot be recovered.',
        params,
        response: { 200: DeletedEvent },
      },
      config: { scope: 'admin', permission: 'events.delete' },
    },
    async (request) => {
      const { id } = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      await deleteEvent(ctx, id)
      return { id, deleted: true }
    },
  )

  app.get(
    '/events/:event_id/share-link',
    {
      schema: {
        operationId: 'getShareLink',
        tags,
        summary: 'Get the share link for guests',
        description: 'Returns the current link. A new password creates another one.',
        params,
        response: { 200: EventLink },
      },
      config: { scope: 'read', permission: 'events.view' },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const { slug, share_token } = event
      return { slug, share_token, share_url: (await ctx.settings.originFor(request)) + sharePath(event) }
    },
  )
}
