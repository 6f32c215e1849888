import { FirstLookBody, FirstLookReply } from '../../../contract/first-look.ts'
import { IdParams } from '../../../contract/shapes.ts'
import { getOwnedEvent } from '../../events/event-ownership.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { completeFirstLook, removeFirstLook, saveFirstLook } from './change-first-look.ts'
import { findFirstLook, firstLookRecord } from './first-look-rows.ts'

const tags = ['events']
const params = IdParams('event_id')
const response = { 200: FirstLookReply }

/** Part of both APIs. */
export const firstLookApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/first-look',
    {
      schema: {
        operationId: 'getFirstLook',
        tags,
        summary: 'Get what guests are told about photos that are still coming',
        params,
        response,
      },
      config: { scope: 'read', permission: 'events.view' },
    },
    async ({ caller, params: { event_id } }) => {
      const { id } = await getOwnedEvent(ctx, caller, event_id)
      const row = await findFirstLook(ctx.db, id)
      return { first_look: row ? firstLookRecord(row) : null }
    },
  )

  app.put(
    '/first-look',
    {
      schema: {
        operationId: 'setFirstLook',
        tags,
        summary: 'Tell guests about how many photos are coming, and by when',
        description: 'A first look that is complete begins again.',
        params,
        body: FirstLookBody,
        response,
      },
      config: { scope: 'write', permission: 'events.edit', problems: ['EVENT_ARCHIVED'] },
    },
    async ({ caller, params: { event_id }, body }) => {
      const { id } = await getOwnedEvent(ctx, caller, event_id)
      return { first_look: await saveFirstLook(ctx, id, body) }
    },
  )

  app.delete(
    '/first-look',
    {
      schema: {
        operationId: 'deleteFirstLook',
        tags,
        summary: 'Stop telling guests that more photos are coming',
        description: 'Guests who asked get no mail.',
        params,
        response,
      },
      config: { scope: 'admin', permission: 'events.edit', problems: ['EVENT_ARCHIVED'] },
    },
    async ({ caller, params: { event_id } }) => {
      const { id } = await getOwnedEvent(ctx, caller, event_id)
      await removeFirstLook(ctx, id)
      return { first_look: null }
    },
  )

  app.post(
    '/first-look/complete',
    {
      schema: {
        operationId: 'completeFirstLook',
        tags,
        summary: 'All photos are there: mail the customer and the guests who asked',
        description: 'A gallery that guests cannot open now causes no mail. The webhook message is `event.completed`.',
        params,
        response,
      },
      config: { scope: 'write', permission: 'events.edit', problems: ['EVENT_ARCHIVED', 'INVALID_STATE'] },
    },
    async ({ caller, params: { event_id } }) => {
      const { id } = await getOwnedEvent(ctx, caller, event_id)
      return { first_look: await completeFirstLook(ctx, id) }
    },
  )
}
