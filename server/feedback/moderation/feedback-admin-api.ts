import {
  ChangeFeedbackSettingsBody,
  FeedbackList,
  FeedbackSettings,
  ListFeedbackQuery,
} from '../../../contract/feedback.ts'
import { IdParams } from '../../../contract/shapes.ts'
import { getOwnedEvent } from '../../events/event-ownership.ts'
import { changeFeedbackSettings, feedbackSettings } from '../../events/feedback-settings.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { feedbackRecord, listFeedback } from './list-feedback.ts'

export const feedbackAdminApi = (ctx: AppContext) => async (app: Http) => {
  const eventParams = IdParams('event_id')

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
