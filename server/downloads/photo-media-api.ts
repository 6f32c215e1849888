import type { FastifyRequest } from 'fastify'
import { DownloadPhotoQuery, PreviewPhotoQuery } from '../../contract/photos.ts'
import { fileReplies, IdParams, storeRedirectReply } from '../../contract/shapes.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { findPhoto, type PhotoRow } from '../photos/photo-rows.ts'
import { AppError } from '../platform/app-error.ts'
import type { Http } from '../platform/http/create-http.ts'
import { parseResolution, parseWidth } from '../renditions/rendition-rules.ts'
import type { Renditions } from '../renditions/renditions.ts'
import type { AppContext } from '../settings/app-context.ts'
import { sendOriginal, sendPreview, sendResized } from './photo-reply.ts'

/** For integrations: gallery rules do not apply, and downloads are not counted. */
export const photoMediaApi = (ctx: AppContext, renditions: Renditions) => async (app: Http) => {
  const params = IdParams('event_id', 'photo_id')

  async function getPhotoToSend(
    request: FastifyRequest,
    { event_id, photo_id }: { event_id: number; photo_id: number },
  ): Promise<PhotoRow> {
    const event = await getOwnedEvent(ctx, request.caller, event_id)
    assertNotArchived(event)
    const photo = await findPhoto(ctx.db, event.id, photo_id)
    if (!photo) throw new AppError('NOT_FOUND')
    return photo
  }

  app.get(
    '/events/:event_id/photos/:photo_id/download',
    {
      schema: {
        operationId: 'downloadPhoto',
        tags: ['photos'],
        summary: 'Download a photo: the original byte for byte, or smaller',
        description:
          'Answers HEAD, If-None-Match, Range and If-Range. A photo that fits into the box already is sent as it is; ' +
          'a smaller one is JPEG, PNG or WebP like the original (else JPEG), upright and without metadata. Videos are not ' +
          'resized: a box is 404 PREVIEW_UNAVAILABLE.',
        params,
        querystring: DownloadPhotoQuery,
        response: {
          ...fileReplies(
            ['image/*', 'video/*'],
            'The file, under the name the client gave it, with the extension of what it is',
            ['Content-Disposition'],
          ),
          ...storeRedirectReply,
        },
      },
      config: {
        scope: 'read',
        permission: ['photos.view', 'photos.download'],
        problems: ['EVENT_ARCHIVED', 'PHOTO_FILE_MISSING', 'PREVIEW_UNAVAILABLE', 'PHOTO_PROCESSING', 'STORAGE_FULL'],
      },
    },
    async (request, reply) => {
      const box = parseResolution(request.query.resolution)
      const photo = await getPhotoToSend(request, request.params)
      if (box) return sendResized(ctx, request, reply, { photo, box })
      return sendOriginal(ctx, request, reply, photo)
    },
  )

  app.get(
    '/events/:event_id/photos/:photo_id/preview',
    {
      schema: {
        operationId: 'previewPhoto',
        tags: ['photos'],
        summary: 'A photo to look at',
        description:
          'WebP when Accept names image/webp, else JPEG; upright, in sRGB and without metadata. It is made at its first ' +
          'demand; 503 PHOTO_PROCESSING with Retry-After means that it is still being made. Of a video: its still.',
        params,
        querystring: PreviewPhotoQuery,
        response: fileReplies('image/*', 'The picture'),
      },
      config: {
        scope: 'read',
        permission: 'photos.view',
        problems: ['EVENT_ARCHIVED', 'PHOTO_FILE_MISSING', 'PREVIEW_UNAVAILABLE', 'PHOTO_PROCESSING', 'STORAGE_FULL'],
      },
    },
    async (request, reply) => {
      const photo = await getPhotoToSend(request, request.params)
      return sendPreview(ctx, renditions, request, reply, { photo, width: parseWidth(request.query.w) })
    },
  )
}
