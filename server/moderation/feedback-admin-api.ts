import {
  ChangeFeedbackSettingsBody,
  DeletedFeedback,
  FeedbackList,
  FeedbackRecord,
  FeedbackSettings,
  ListFeedbackQuery,
} from '../../contract/feedback.ts'
import { IdParams } from '../../contract/shapes.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { changeFeedbackSettings, feedbackSettings } from '../events/feedback-settings.ts'
import { feedbackRecord, getListedFeedback, listFeedback } from '../feedback/list-feedback.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from '../settings/app-context.ts'
import { moderateFeedback } from './moderate-feedback.ts'

export const feedbackAdminApi = (ctx: AppContext) => async (app: Http) => {
  const eventParams = IdParams('event_id')
  const feedbackParams = IdParams('feedback_id')

  app.get(
    '/feedback/events/:event_id',
    {
      schema: {
        operationId: 'listFeedback',
        tags: ['proofing'],
        summary: 'List the feedback of an event, newest first',
        params: eventParams,
        querystring: ListFeedbackQuery,
        response: { 200: FeedbackList },
      },
      config: { permission: 'photos.view' },
    },
    async (request) => {
      const { id } = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const { rows, pagination } = await listFeedback(ctx, id, request.query)
      return { feedback: rows.map(feedbackRecord), pagination }
    },
  )

  for (const [verb, did] of [['approve', 'approved'] as const, ['hide', 'hidden'] as const]) {
    app.put(
      `/feedback/:feedback_id/${verb}`,
      {
        schema: {
          operationId: `${verb}Feedback`,
          tags: ['proofing'],
          summary:
            verb === 'approve' ? 'Approve feedback; it is shown and counted' : 'Hide feedback; it is no longer counted',
          params: feedbackParams,
          response: { 200: FeedbackRecord },
        },
        config: { permission: 'photos.edit', problems: ['EVENT_ARCHIVED'] },
      },
      async (request) => {
        const { feedback_id: feedbackId } = request.params
        await moderateFeedback(ctx, request.caller, feedbackId, did)
        return feedbackRecord(await getListedFeedback(ctx, feedbackId))
      },
    )
  }

  app.delete(
    '/feedback/:feedback_id',
    {
      schema: {
        operationId: 'deleteFeedback',
        tags: ['proofing'],
        summary: 'Permanently delete feedback',
        params: feedbackParams,
        response: { 200: DeletedFeedback },
      },
      config: { permission: 'photos.edit', problems: ['EVENT_ARCHIVED'] },
    },
    async (request) => {
      const { feedback_id: id } = request.params
      await moderateFeedback(ctx, request.caller, id, 'deleted')
      return { id, deleted: true }
    },
  )

  app.get(
    '/feedback/events/:event_id/feedback-settings',
    {
      schema: {
        operationId: 'getFeedbackSettings',
        tags: ['proofing'],
        summary: 'Get the feedback settings of an event',
        params: eventParams,
        response: { 200: FeedbackSettings },
      },
      config: { permission: 'photos.view' },
    },
    async (request) => feedbackSettings(await getOwnedEvent(ctx, request.caller, request.params.event_id)),
  )

  app.put(
    '/feedback/events/:event_id/feedback-settings',
    {
      schema: {
        operationId: 'changeFeedbackSettings',
        tags: ['proofing'],
        summary: 'Change the feedback settings of an event',
        params: eventParams,
        body: ChangeFeedbackSettingsBody,
        response: { 200: FeedbackSettings },
      },
      config: { permission: 'photos.edit', problems: ['EVENT_ARCHIVED'] },
    },
    async (request) => {
      const { id } = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      return changeFeedbackSettings(ctx, id, request.body)
    },
  )
}
