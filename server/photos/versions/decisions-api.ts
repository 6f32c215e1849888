import { DecisionsQuery, ReviewList } from '../../../contract/gallery/versions.ts'
import { IdParams } from '../../../contract/shapes.ts'
import { getOwnedEvent } from '../../events/event-ownership.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { listReview } from './review-photos.ts'

/** Part of both APIs. */
export const decisionsApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/decisions',
    {
      schema: {
        operationId: 'listDecisions',
        tags: ['proofing'],
        summary: 'List what guests have decided about the versions of photos, and which photos wait for a decision',
        description:
          'With a package, the guests whose latest selection has the photo decide, otherwise any named guest. Hidden photos are left out.',
        params: IdParams('event_id'),
        querystring: DecisionsQuery,
        response: { 200: ReviewList },
      },
      config: { scope: 'read', permission: 'events.view' },
    },
    async ({ caller, params: { event_id }, query }) =>
      listReview(ctx.db, await getOwnedEvent(ctx, caller, event_id), query),
  )
}
