import type { FastifyRequest } from 'fastify'
import { GridPhoto } from '../../contract/photo-grid.ts'
import { DownloadPhotoQuery, PreviewPhotoQuery } from '../../contract/photos.ts'
import type { ProblemCode } from '../../contract/problems.ts'
import { fileReplies, IdParams, storeRedirectReply } from '../../contract/shapes.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { getGridRecord } from '../photos/lists/grid-records.ts'
import { getPhoto, type PhotoRow } from '../photos/photo-rows.ts'
import { parseResolution, parseWidth, prefersPicture } from '../photos/renditions/rendition-rules.ts'
import type { Renditions } from '../photos/renditions/renditions.ts'
import { pictureProblems, sendStoredThumbnail } from '../photos/renditions/thumbnail-reply.ts'
import { getVersion } from '../photos/versions/find-version.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from '../settings/app-context.ts'
import { sendOriginal, sendPreview, sendResized, sendView } from './photo-reply.ts'

const params = IdParams('event_id', 'photo_id')
type PhotoParams = { event_id: number; photo_id: number }

const picture = fileReplies('image/*', 'The picture')
const downloadProblems: ProblemCode[] = ['EVENT_ARCHIVED', ...pictureProblems, 'STORAGE_FULL']

const createGetShown =
  ({ db }: AppContext) =>
  async (photo: PhotoRow, { version }: { version?: number }) =>
    version === undefined ? photo : getVersion(db, photo, version)

/** For integrations: gallery rules do not apply, and downloads are not counted. */
export const photoMediaApi = (ctx: AppContext, renditions: Renditions) => async (app: Http) => {
  const getShown = createGetShown(ctx)
  const getPhotoToSend = async (request: FastifyRequest, { event_id, photo_id }: PhotoParams) => {
    const event = await getOwnedEvent(ctx, request.caller, event_id)
    assertNotArchived(event)
    return getPhoto(ctx.db, event.id, photo_id)
  }

  app.get(
    '/events/:event_id/photos/:photo_id/download',
    {
      schema: {
        operationId: 'downloadPhoto',
        tags: ['photos'],
        summary: 'Download a photo: the unchanged original, or a smaller version',
        description:
          'Supports HEAD, If-None-Match, Range and If-Range. A photo that already fits into the box is sent unchanged, a RAW or ' +
          'HEIC file as the JPEG that guests get. A smaller version is JPEG, PNG or WebP like the original (otherwise JPEG), upright and ' +
          'without metadata. Videos are not resized: a request with a box returns 404 PREVIEW_UNAVAILABLE.',
        params,
        querystring: DownloadPhotoQuery,
        response: {
          ...fileReplies(
            ['image/*', 'video/*'],
            'The file, with its original name and the extension of its actual type',
            ['Content-Disposition'],
          ),
          ...storeRedirectReply,
        },
      },
      config: { scope: 'read', permission: ['photos.view', 'photos.download'], problems: downloadProblems },
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
        summary: 'Get a preview of a photo',
        description:
          'WebP if Accept names image/webp, otherwise JPEG; upright, in sRGB and without metadata. It is created at the first ' +
          'request; 503 PHOTO_PROCESSING with Retry-After means that it is still being created. For a video, the preview is its still.',
        params,
        querystring: PreviewPhotoQuery,
        response: picture,
      },
      config: { scope: 'read', permission: 'photos.view', problems: downloadProblems },
    },
    async (request, reply) => {
      const photo = await getShown(await getPhotoToSend(request, request.params), request.query)
      return sendPreview(ctx, renditions, request, reply, { photo, width: parseWidth(request.query.w) })
    },
  )
}

/**
 * For operators: gallery rules do not apply, and downloads are not counted. For an archived event, only downloads are
 * rejected.
 */
export const photoViewsApi = (ctx: AppContext, renditions: Renditions) => async (app: Http) => {
  const getShown = createGetShown(ctx)
  const getViewedPhoto = async (request: FastifyRequest, { event_id, photo_id }: PhotoParams) => {
    const event = await getOwnedEvent(ctx, request.caller, event_id)
    return { event, photo: await getPhoto(ctx.db, event.id, photo_id) }
  }

  app.get(
    '/photos/:event_id/photo/:photo_id',
    {
      schema: {
        operationId: 'getPhotoMetadata',
        tags: ['photos'],
        summary: 'Get a photo record or its picture',
        description:
          'Returns the picture if Accept names an image type but not application/json: the stored file, or the still of a video.',
        params,
        response: {
          ...picture,
          200: {
            description: 'The photo record, or its picture',
            content: { 'application/json': { schema: GridPhoto }, ...picture[200].content },
          },
        },
      },
      config: { permission: 'photos.view', problems: pictureProblems },
    },
    async (request, reply) => {
      reply.header('vary', 'Accept')
      const { event, photo } = await getViewedPhoto(request, request.params)
      if (prefersPicture(request.headers.accept)) return sendView(ctx, request, reply, photo)
      return reply.send((await getGridRecord(ctx, event, photo.id, request.caller.user.id)) as never)
    },
  )

  app.get(
    '/photos/:event_id/preview/:photo_id',
    {
      schema: {
        operationId: 'getPreview',
        tags: ['photos'],
        summary: 'Get a preview of a photo',
        description:
          'WebP if Accept names image/webp, otherwise JPEG; upright, in sRGB and without metadata. It is created at the first ' +
          'request; 503 PHOTO_PROCESSING with Retry-After means that it is still being created. For an archived event, the ' +
          'response is the stored file.',
        params,
        querystring: PreviewPhotoQuery,
        response: picture,
      },
      config: { permission: 'photos.view', problems: [...pictureProblems, 'STORAGE_FULL'] },
    },
    async (request, reply) => {
      const { event, photo } = await getViewedPhoto(request, request.params)
      // The renditions of an archived event are deleted and are not made again.
      const shown = await getShown(photo, request.query)
      if (shown === photo && event.is_archived === 1) return sendView(ctx, request, reply, photo)
      assertNotArchived(event)
      return sendPreview(ctx, renditions, request, reply, { photo: shown, width: parseWidth(request.query.w) })
    },
  )

  app.get(
    '/photos/:event_id/photos/:photo_id/download',
    {
      schema: {
        operationId: 'downloadPhoto',
        tags: ['photos'],
        summary: 'Download a photo: the unchanged original, or a smaller version',
        description: 'Supports HEAD, If-None-Match, Range and If-Range.',
        params,
        querystring: DownloadPhotoQuery,
        response: {
          ...fileReplies('*/*', 'The file, with its original name and the extension of its actual type', [
            'Content-Disposition',
          ]),
          ...storeRedirectReply,
        },
      },
      config: { permission: ['photos.view', 'photos.download'], problems: downloadProblems },
    },
    async (request, reply) => {
      const box = parseResolution(request.query.resolution)
      const { event, photo } = await getViewedPhoto(request, request.params)
      assertNotArchived(event)
      if (box) return sendResized(ctx, request, reply, { photo, box })
      return sendOriginal(ctx, request, reply, photo)
    },
  )
}

/** Part of both APIs, at different paths. Archived events keep their thumbnails. */
export const thumbnailsApi = (ctx: AppContext, renditions: Renditions, path: string) => async (app: Http) => {
  app.get(
    path,
    {
      schema: {
        operationId: 'getThumbnail',
        tags: ['photos'],
        summary: 'Get the thumbnail of a photo',
        description: 'A JPEG of at most 480 px. A missing or damaged thumbnail is created again.',
        params,
        response: picture,
      },
      config: { scope: 'read', permission: 'photos.view', problems: pictureProblems },
    },
    async (request, reply) => {
      const { event_id, photo_id } = request.params
      const event = await getOwnedEvent(ctx, request.caller, event_id)
      const photo = await getPhoto(ctx.db, event.id, photo_id)
      return sendStoredThumbnail(ctx, renditions, request, reply, photo)
    },
  )
}
