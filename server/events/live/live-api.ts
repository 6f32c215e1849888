import { LiveHeaders, LiveStream } from '../../../contract/live.ts'
import { IdParams } from '../../../contract/shapes.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { getOwnedEvent } from '../event-ownership.ts'
import type { LiveStreams } from './live-stream-replies.ts'

export const liveApi = (ctx: AppContext, streams: LiveStreams) => async (app: Http) => {
  app.get(
    '/events/:event_id/live',
    {
      // A HEAD request would never end.
      exposeHeadRoute: false,
      schema: {
        operationId: 'watchEvent',
        tags: ['proofing'],
        summary: 'Stream feedback, uploads, names and selections live',
        params: IdParams('event_id'),
        headers: LiveHeaders,
        response: { 200: LiveStream },
      },
      config: { permission: 'photos.view' },
    },
    async (request, reply) => {
      const { event_id: eventId } = request.params
      const check = async () => getOwnedEvent(ctx, await request.admitAgain(), eventId)
      await check()
      const lastSeenId = request.headers['last-event-id'] ?? null
      await streams.send(reply, { viewer: { kind: 'account', id: request.caller.user.id }, eventId, lastSeenId, check })
      return reply
    },
  )
}
