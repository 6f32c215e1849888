import { Type } from 'typebox'
import { EventRecord } from '../../../contract/events.ts'
import { Id, IdParams, PageQuery } from '../../../contract/shapes.ts'
import { EmptyTrashReply, TrashedEventList } from '../../../contract/trash.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { deleteTrashedEvent } from '../delete-event.ts'
import { getOwnedEvent } from '../event-ownership.ts'
import { loadEventRecord } from '../list-events.ts'
import { emptyEventTrash } from './empty-event-trash.ts'
import { listTrashedEvents } from './list-trashed-events.ts'
import { restoreTrashedEvent, trashEvent } from './trash-event.ts'
import { getOwnedTrashedEvent } from './trashed-event-rows.ts'

const tags = ['trash']
const params = IdParams('event_id')

export const eventTrashApi = (ctx: AppContext) => async (app: Http) => {
  app.post(
    '/events/:event_id/trash',
    {
      schema: {
        operationId: 'trashEvent',
        tags,
        summary: 'Move an event to the trash',
        description:
          'Works in any state. The event is unknown everywhere but in the trash, which keeps it for 30 days. Webhooks are notified for event.deleted.',
        params,
        response: { 200: Type.Object({ id: Id, trashed: Type.Boolean() }) },
      },
      config: { permission: 'events.delete' },
    },
    async ({ caller, params: { event_id } }) => {
      const { id } = await getOwnedEvent(ctx, caller, event_id)
      await trashEvent(ctx, id)
      return { id, trashed: true }
    },
  )

  app.get(
    '/trashed-events',
    {
      schema: {
        operationId: 'listTrashedEvents',
        tags,
        summary: 'List the events in the trash',
        querystring: PageQuery,
        response: { 200: TrashedEventList },
      },
      config: { permission: 'events.view' },
    },
    ({ caller, query }) => listTrashedEvents(ctx, caller, query),
  )

  app.post(
    '/trashed-events/:event_id/restore',
    {
      schema: {
        operationId: 'restoreTrashedEvent',
        tags,
        summary: 'Restore an event from the trash',
        description:
          'With its photos, feedback, share link and password, in the state that it had. Webhooks are notified for event.created with `restored: true`.',
        params,
        response: { 200: EventRecord },
      },
      config: { permission: 'events.delete' },
    },
    async (request) => {
      const { id } = await getOwnedTrashedEvent(ctx, request.caller, request.params.event_id)
      return loadEventRecord(ctx, await restoreTrashedEvent(ctx, id), await ctx.settings.originFor(request))
    },
  )

  app.delete(
    '/trashed-events/:event_id',
    {
      schema: {
        operationId: 'deleteTrashedEvent',
        tags,
        summary: 'Delete an event in the trash for good',
        params,
        response: { 200: Type.Object({ id: Id, deleted: Type.Boolean() }) },
      },
      config: { permission: 'events.delete' },
    },
    async ({ caller, params: { event_id } }) => {
      const { id } = await getOwnedTrashedEvent(ctx, caller, event_id)
      await deleteTrashedEvent(ctx, id)
      return { id, deleted: true }
    },
  )

  app.delete(
    '/trashed-events',
    {
      schema: {
        operationId: 'emptyEventTrash',
        tags,
        summary: 'Delete all events in the trash that you own for good',
        response: { 200: EmptyTrashReply },
      },
      config: { permission: 'events.delete' },
    },
    async ({ caller }) => ({ deleted: await emptyEventTrash(ctx, caller) }),
  )
}
