import { Type } from 'typebox'
import { PhotoParams, Slug, SlugParams } from '../../../contract/gallery/gallery.ts'
import { DeletedNote } from '../../../contract/gallery/notes.ts'
import {
  AnswerBody,
  GuestThread,
  GuestThreadList,
  GuestThreadsQuery,
  ThreadBody,
  ThreadStateBody,
} from '../../../contract/gallery/threads.ts'
import { IdempotencyHeaders } from '../../../contract/idempotency.ts'
import { Id } from '../../../contract/shapes.ts'
import type { GalleryAccessContext } from '../../gallery-access/gallery-access-context.ts'
import { oncePerGuestKey } from '../../gallery-access/once-per-guest-request.ts'
import { registerGalleryHooks } from '../../gallery-access/open-gallery-request.ts'
import type { Http } from '../../platform/http/create-http.ts'
import {
  answerThread,
  getOwnThread,
  listOwnThreads,
  removeOwnAnswer,
  removeOwnThread,
  settleThread,
  startThread,
} from './guest-threads.ts'

const tags = ['threads']
const ThreadParams = Type.Object({ slug: Slug, thread_id: Id })

export const guestThreadsApi = (ctx: GalleryAccessContext) => async (app: Http) => {
  registerGalleryHooks(app, ctx)

  app.get(
    '/:slug/threads',
    {
      schema: {
        operationId: 'listGalleryThreads',
        tags,
        summary: 'List the comments, notes, pins and boxes that the guest sees, newest first',
        params: SlugParams,
        querystring: GuestThreadsQuery,
        response: { 200: GuestThreadList },
      },
    },
    ({ gallery, query }) => listOwnThreads(ctx, gallery, query),
  )

  app.get(
    '/:slug/photos/:photo_id/threads',
    {
      schema: {
        operationId: 'listPhotoThreads',
        tags,
        summary: 'List the threads of a photo that the guest sees, oldest first',
        params: PhotoParams,
        querystring: GuestThreadsQuery,
        response: { 200: GuestThreadList },
      },
    },
    ({ gallery, params, query }) => listOwnThreads(ctx, gallery, query, params.photo_id),
  )

  app.post(
    '/:slug/photos/:photo_id/threads',
    {
      schema: {
        operationId: 'startThread',
        tags,
        summary: 'Put a pin or a box with a text on a photo',
        params: PhotoParams,
        headers: IdempotencyHeaders,
        body: ThreadBody,
        response: { 200: GuestThread },
      },
      config: { problems: ['FEEDBACK_DISABLED', 'THREAD_LIMIT_REACHED'] },
    },
    (request, reply) => {
      const { gallery, params, body } = request
      const { kind, x, y, w, h, text, guest_name } = body
      return oncePerGuestKey<GuestThread>(ctx, request, reply, {
        fields: { kind, x, y, w, h, text, guest_name },
        first: (record) => startThread(ctx, gallery, params.photo_id, body, record),
        again: (id) => getOwnThread(ctx, gallery, id),
      })
    },
  )

  app.get(
    '/:slug/threads/:thread_id',
    {
      schema: {
        operationId: 'getGalleryThread',
        tags,
        summary: 'Get a thread with all its answers',
        params: ThreadParams,
        response: { 200: GuestThread },
      },
    },
    ({ gallery, params }) => getOwnThread(ctx, gallery, params.thread_id),
  )

  app.delete(
    '/:slug/threads/:thread_id',
    {
      schema: {
        operationId: 'deleteOwnThread',
        tags,
        summary: 'Delete your own pin or box',
        params: ThreadParams,
        response: { 200: DeletedNote },
      },
    },
    async ({ gallery, params: { thread_id: id } }) => {
      await removeOwnThread(ctx, gallery, id)
      return { success: true as const, id }
    },
  )

  app.post(
    '/:slug/threads/:thread_id/messages',
    {
      schema: {
        operationId: 'answerGalleryThread',
        tags,
        summary: 'Answer in a thread; one that is done is open again',
        params: ThreadParams,
        headers: IdempotencyHeaders,
        body: AnswerBody,
        response: { 200: GuestThread },
      },
      config: { problems: ['FEEDBACK_DISABLED', 'THREAD_LIMIT_REACHED'] },
    },
    (request, reply) => {
      const { gallery, params, body } = request
      const { text, guest_name } = body
      return oncePerGuestKey<GuestThread>(ctx, request, reply, {
        fields: { text, guest_name },
        first: (record) => answerThread(ctx, gallery, params.thread_id, body, record),
        again: (id) => getOwnThread(ctx, gallery, id),
      })
    },
  )

  app.delete(
    '/:slug/threads/:thread_id/messages/:message_id',
    {
      schema: {
        operationId: 'deleteOwnAnswer',
        tags,
        summary: 'Delete your own answer',
        params: Type.Object({ ...ThreadParams.properties, message_id: Id }),
        response: { 200: DeletedNote },
      },
    },
    async ({ gallery, params: { thread_id, message_id: id } }) => {
      await removeOwnAnswer(ctx, gallery, thread_id, id)
      return { success: true as const, id }
    },
  )

  app.put(
    '/:slug/threads/:thread_id/state',
    {
      schema: {
        operationId: 'settleGalleryThread',
        tags,
        summary: 'Mark your own thread as done, or open it again',
        params: ThreadParams,
        body: ThreadStateBody,
        response: { 200: GuestThread },
      },
    },
    ({ gallery, params, body }) => settleThread(ctx, gallery, params.thread_id, body.state),
  )
}
