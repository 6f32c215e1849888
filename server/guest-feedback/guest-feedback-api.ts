import { Type } from 'typebox'
import {
  CommentsQuery,
  FeedbackBody,
  FeedbackReply,
  FeedbackSettings,
  MyFeedback,
  MyFeedbackQuery,
  PhotoFeedback,
} from '../../contract/feedback.ts'
import { PhotoParams, SlugParams } from '../../contract/gallery/gallery.ts'
import { IdempotencyHeaders } from '../../contract/idempotency.ts'
import { Id } from '../../contract/shapes.ts'
import { feedbackSettings } from '../events/feedback-settings.ts'
import type { GalleryContext } from '../gallery/gallery-context.ts'
import { openGallery, registerWriteHooks } from '../gallery/open-gallery-request.ts'
import type { Http } from '../platform/http/create-http.ts'
import { giveFeedbackIdempotently } from './idempotent-feedback-request.ts'
import { listOwnFeedback } from './list-own-feedback.ts'
import { loadPhotoFeedback } from './photo-feedback.ts'
import { authorizeFeedback, removeOwnComment, storeGuestFeedback } from './store-guest-feedback.ts'

export const guestFeedbackApi = (ctx: GalleryContext) => async (app: Http) => {
  registerWriteHooks(app, ctx)

  app.post(
    '/:slug/photos/:photo_id/feedback',
    {
      schema: {
        summary: 'Rate, label, like, favourite or comment on a photo',
        params: PhotoParams,
        headers: IdempotencyHeaders,
        body: FeedbackBody,
        response: { 200: FeedbackReply },
      },
      config: { problems: ['FEEDBACK_DISABLED', 'COMMENT_LIMIT_REACHED'] },
    },
    (request, reply) => {
      const { gallery, params, body } = request
      return giveFeedbackIdempotently(
        ctx,
        request,
        reply,
        (record) => storeGuestFeedback(ctx, gallery, params.photo_id, body, record),
        () => authorizeFeedback(ctx, gallery, params.photo_id),
      )
    },
  )

  app.get(
    '/:slug/photos/:photo_id/feedback',
    {
      schema: {
        summary: 'The comments on a photo, and what all have given to it',
        params: PhotoParams,
        querystring: CommentsQuery,
        response: { 200: PhotoFeedback },
      },
    },
    async (request) => {
      const gallery = await openGallery(ctx, request, request.params.slug)
      return loadPhotoFeedback(ctx, gallery, request.params.photo_id, request.query)
    },
  )

  app.delete(
    '/:slug/photos/:photo_id/feedback/:feedback_id',
    {
      schema: {
        summary: 'Take back a comment of your own',
        params: Type.Object({ ...PhotoParams.properties, feedback_id: Id }),
        response: { 200: FeedbackReply },
      },
    },
    (request) => removeOwnComment(ctx, request.gallery, request.params.photo_id, request.params.feedback_id),
  )

  app.get(
    '/:slug/my-feedback',
    {
      schema: {
        summary: 'What the guest has given, photo by photo',
        params: SlugParams,
        querystring: MyFeedbackQuery,
        response: { 200: MyFeedback },
      },
    },
    async (request) => {
      const gallery = await openGallery(ctx, request, request.params.slug)
      return listOwnFeedback(ctx, gallery, request.query)
    },
  )

  app.get(
    '/:slug/feedback-settings',
    {
      schema: {
        summary: 'Which feedback guests may give here',
        params: SlugParams,
        response: { 200: FeedbackSettings },
      },
    },
    async (request) => feedbackSettings((await openGallery(ctx, request, request.params.slug)).event),
  )
}
