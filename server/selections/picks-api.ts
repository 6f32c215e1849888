import { PicksReply } from '../../contract/picks.ts'
import { IdParams } from '../../contract/shapes.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from '../settings/app-context.ts'
import { listPicks } from './list-picks.ts'

/** Part of both APIs: the path is relative to the path of the event. */
export const picksApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/picks',
    {
      schema: {
        operationId: 'listPicks',
        tags: ['proofing'],
        summary: 'List the picks of all guests',
        description: 'Returns all picked photos and all guests of the event.',
        params: IdParams('event_id'),
        response: { 200: PicksReply },
      },
      config: { scope: 'read', permission: 'photos.view' },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      return listPicks(ctx, event, request.caller.user.id)
    },
  )
}
