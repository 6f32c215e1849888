import { DeletedFeedback, FeedbackList, FeedbackRecord, ListCommentsQuery } from '../../../contract/feedback.ts'
import { IdParams, ParamsWithEvent } from '../../../contract/shapes.ts'
import { getOwnedEvent } from '../../events/event-ownership.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { feedbackRecord, getListedFeedback, listFeedback } from './list-feedback.ts'
import { moderateFeedback } from './moderate-feedback.ts'

/** Part of both APIs: the public API is only about the comments of the event in its path. */
export const moderationApi = (ctx: AppContext) => async (app: Http) => {
  const params = ParamsWithEvent('feedback_id')

  for (const [verb, did] of [['approve', 'approved'] as const, ['hide', 'hidden'] as const]) {
    app.put(
      `/:feedback_id/${verb}`,
      {
        schema: {
          operationId: `${verb}Feedback`,
          tags: ['proofing'],
          summary:
            verb === 'approve' ? 'Approve feedback; it is shown and counted' : 'Hide feedback; it is no longer counted',
          params: params,
          response: { 200: FeedbackRecord },
        },
        config: { scope: 'write', permission: 'photos.edit', problems: ['EVENT_ARCHIVED', 'SELECTION_LOCKED'] },
      },
      async (request) => {
        const { feedback_id: id, event_id: eventId } = request.params
        await moderateFeedback(ctx, request.caller, { id, commentsOf: eventId }, did)
        return feedbackRecord(await getListedFeedback(ctx, id))
      },
    )
  }

  app.delete(
    '/:feedback_id',
    {
      schema: {
        operationId: 'deleteFeedback',
        tags: ['proofing'],
        summary: 'Permanently delete feedback',
        params: params,
        response: { 200: DeletedFeedback },
      },
      config: { scope: 'admin', permission: 'photos.edit', problems: ['EVENT_ARCHIVED', 'SELECTION_LOCKED'] },
    },
    async (request) => {
      const { feedback_id: id, event_id: eventId } = request.params
      await moderateFeedback(ctx, request.caller, { id, commentsOf: eventId }, 'deleted')
      return { id, deleted: true }
    },
  )
}

/** The public API has comments; the admin app lists all feedback. */
export const commentsApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/comments',
    {
      schema: {
        operationId: 'listComments',
        tags: ['proofing'],
        summary: 'List the comments of an event, newest first',
        description: 'Includes comments that wait for approval (`status=pending`) and hidden ones.',
        params: IdParams('event_id'),
        querystring: ListCommentsQuery,
        response: { 200: FeedbackList },
      },
      config: { scope: 'read', permission: 'photos.view' },
    },
    async (request) => {
      const { id } = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const { rows, pagination } = await listFeedback(ctx, id, { ...request.query, feedback_type: 'comment' })
      return { feedback: rows.map(feedbackRecord), pagination }
    },
  )
}
