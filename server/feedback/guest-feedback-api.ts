import { Type } from 'typebox'
import {
  FeedbackBody,
  FeedbackReply,
  FeedbackSettings,
  MyFeedback,
  MyFeedbackQuery,
  PhotoFeedback,
} from '../../contract/feedback.ts'
import { PhotoParams, SlugParams } from '../../contract/gallery/gallery.ts'
import { IdempotencyHeaders } from '../../contract/idempotency.ts'
import { Id, PageQuery } from '../../contract/shapes.ts'
import { feedbackSettings } from '../events/feedback-settings.ts'
import type { GalleryAccessContext } from '../gallery-access/gallery-access-context.ts'
import { oncePerGuestKey } from '../gallery-access/once-per-guest-request.ts'
import { registerGalleryHooks } from '../gallery-access/open-gallery-request.ts'
import type { Http } from '../platform/http/create-http.ts'
import { listOwnFeedback } from './list-own-feedback.ts'
import { loadPhotoFeedback } from './photo-feedback.ts'
import { authorizeFeedback, removeOwnComment, storeGuestFeedback } from './store-guest-feedback.ts'

export const guestFeedbackApi = (ctx: GalleryAccessContext) => async (app: Http) => {
  registerGalleryHooks(app, ctx)

  app.post(
    '/:slug/photos/:photo_id/feedback',
    {
      schema: {
        operationId: 'giveFeedback',
        tags: ['feedback'],
        summary: 'Give feedback on a photo',
        params: PhotoParams,
        headers: IdempotencyHeaders,
        body: FeedbackBody,
        response: { 200: FeedbackReply },
      },
      config: {
        problems: ['FEEDBACK_DISABLED', 'COMMENT_LIMIT_REACHED', 'SELECTION_LOCKED', 'SELECTION_LIMIT_REACHED'],
      },
    },
    (request, reply) => {
      const { gallery, params, body } = request
      return oncePerGuestKey<FeedbackReply>(ctx, request, reply, {
        fields: Object.fromEntries(Object.entries(body).filter(([key]) => key in FeedbackBody.properties)),
        // The response has no id if there was nothing to remove.
        first: (record) =>
          storeGuestFeedback(ctx, gallery, params.photo_id, body, (tx, answer) => record(tx, answer.id ?? 0, answer)),
        assertAgain: () => authorizeFeedback(ctx, gallery, params.photo_id),
      })
    },
  )

  app.get(
    '/:slug/photos/:photo_id/feedback',
    {
      schema: {
        operationId: 'getPhotoFeedback',
        tags: ['feedback'],
        summary: 'Get the comments on a photo and its feedback totals',
        params: PhotoParams,
        querystring: PageQuery,
        response: { 200: PhotoFeedback },
      },
    },
    ({ gallery, params, query }) => loadPhotoFeedback(ctx, gallery, params.photo_id, query),
  )

  app.delete(
    '/:slug/photos/:photo_id/feedback/:feedback_id',
    {
      schema: {
        operationId: 'deleteOwnComment',
        tags: ['feedback'],
        summary: 'Delete your own comment',
        params: Type.Object({ ...PhotoParams.properties, feedback_id: Id }),
        response: { 200: FeedbackReply },
      },
    },
    ({ gallery, params }) => removeOwnComment(ctx, gallery, params.photo_id, params.feedback_id),
  )

  app.get(
    '/:slug/my-feedback',
    {
      schema: {
        operationId: 'listOwnFeedback',
        tags: ['feedback'],
        summary: 'List the feedback of the guest by photo',
        params: SlugParams,
        querystring: MyFeedbackQuery,
        response: { 200: MyFeedback },
      },
    },
    ({ gallery, query }) => listOwnFeedback(ctx, gallery, query),
  )

  app.get(
    '/:slug/feedback-settings',
    {
      schema: {
        operationId: 'getGalleryFeedbackSettings',
        tags: ['feedback'],
        summary: 'Get the feedback settings of a gallery',
        params: SlugParams,
        response: { 200: FeedbackSettings },
      },
    },
    async ({ gallery }) => feedbackSettings(gallery.event),
  )
}
